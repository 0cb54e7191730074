"""Pictures the room shows: drawn here, from nothing but shapes and numbers."""
