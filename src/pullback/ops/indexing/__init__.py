"""Square brackets, and what is taken by a mask."""
