"""Record what TensorFlow's own `tf.layers` print for layers_program.py, in data/layers.json.

They live in the package tf-keras of TensorFlow's version, so run this where both are installed.
"""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    quiet = {"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
    settings = {**os.environ, **quiet, "TF_USE_LEGACY_KERAS": "1"}
    printed = {}
    for mode in ("true", "false", "fed"):
        command = [sys.executable, str(HERE / "layers_program.py"), mode]
        printed[mode] = subprocess.run(command, env=settings, capture_output=True, text=True, check=True).stdout.splitlines()
    content = {"tf-keras": version("tf-keras"), "printed": printed}
    (HERE / "data" / "layers.json").write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
