-- The step of the lesson (`bot.features.lesson`) at which a person goes on; NULL before it and after its end.
ALTER TABLE people ADD COLUMN lesson text;
