"""The tool: `python -m benchmarks.gradbench`, with the repository and its `src` on PYTHONPATH."""

import argparse
import os
import sys

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gradbench", description="Answer GradBench's messages with Pullback.")
    parser.add_argument("--multithreaded", action="store_true", help="use every core, not one")
    if not parser.parse_args().multithreaded:
        # Libraries read these when they are loaded, so the import below comes after.
        os.environ.update(dict.fromkeys(THREADS, "1"))
    from benchmarks.gradbench.protocol import serve

    try:
        serve(sys.stdin)
    except BrokenPipeError:
        sys.exit("the evaluation has gone")


if __name__ == "__main__":
    main()
