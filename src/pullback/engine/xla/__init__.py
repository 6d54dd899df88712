"""XLA as an engine: programs as StableHLO modules, which jaxlib's client compiles and runs."""
