"""The lesson: one deal with fixed cards for somebody who never played, a step at a time."""
