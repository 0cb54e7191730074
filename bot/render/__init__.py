"""Views, public events and rules turned into words and layouts. Pure: no network, no clock, no store."""
