"""What a gradient tells of itself: `why` it is None, zero or what it is, and where a NaN began.  Loaded when first asked for."""
