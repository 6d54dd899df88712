"""Record what Keras's `fit` gives on TensorFlow under a strategy of two replicas, which are two devices of one process there.

Run with an interpreter that has TensorFlow: `python -m tests.golden.make_replicas`.
"""

import contextlib
import io
import json
import runpy
from pathlib import Path

import tensorflow as tf

HERE = Path(__file__).parent
TARGET = HERE / "data" / "replicas.json"


def main() -> None:
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    mirrored = tf.distribute.MirroredStrategy
    tf.distribute.MirroredStrategy = lambda _=None: mirrored(["CPU:0", "CPU:1"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(HERE.parent / "replicas" / "keras_fit.py"))
    content = {"tensorflow": tf.__version__, "keras_fit": json.loads(printed.getvalue().splitlines()[-1])}
    TARGET.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
