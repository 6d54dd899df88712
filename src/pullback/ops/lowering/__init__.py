"""How operations are lowered for the engine, free of LLVM."""
