"""The tool: `python -m benchmarks.gradbench`, with the repository and its `src` on PYTHONPATH."""

import argparse
import os
import sys

THREADS = ("PULLBACK_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gradbench", description="Answer GradBench's messages with Pullback.")
    parser.add_argument("--multithreaded", action="store_true", help="use every core, not one")
    if not parser.parse_args().multithreaded:
        os.environ.update(dict.fromkeys(THREADS, "1"))
    os.environ.setdefault("PULLBACK_JIT", "1")  # compile at the first run, which is not timed
    # All these are read when libraries are loaded.
    from benchmarks.gradbench.protocol import serve

    try:
        serve(sys.stdin)
    except BrokenPipeError:
        sys.exit("the evaluation has gone")


if __name__ == "__main__":
    main()
