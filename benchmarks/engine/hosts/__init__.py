"""One module a library: how it compiles a work's program, calls it, and hands out what it found."""
