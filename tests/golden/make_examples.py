"""Record what TensorFlow prints for the programs in examples/, so that the tests compare without it.

Run with an interpreter that has TensorFlow: `python tests/golden/make_examples.py [name ...]`.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
TARGET = Path(__file__).parent / "data" / "examples.json"
SEEDS_FOR_TENSORFLOW_2 = ("seeds/tape_square.py", "seeds/matmul_tape.py", "seeds/matmul_tape_one_element.py")


def programs() -> list[str]:
    return [path.name for path in sorted((ROOT / "examples").glob("*.py"))] + list(SEEDS_FOR_TENSORFLOW_2)


def printed(name: str) -> list[str]:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"}
    program = ROOT / "examples" / name
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name} failed on TensorFlow:\n{done.stderr}")
    return done.stdout.splitlines()


def main(names: list[str]) -> None:
    recorded = json.loads(TARGET.read_text())["printed"] if names and TARGET.exists() else {}
    for name in names or programs():
        recorded[name] = printed(name)
        print(name, len(recorded[name]), "lines")
    TARGET.parent.mkdir(exist_ok=True)
    content = {"tensorflow": version("tensorflow-cpu"), "printed": dict(sorted(recorded.items()))}
    TARGET.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
