"""Write src/pullback/tensorflow/strings/scripts.py: the Unicode script of every character, as TensorFlow 2.21 tells it.

    python -m tests.make_scripts

Run with a Python that has TensorFlow 2.21; it needs nothing of Pullback.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parents[1] / "src" / "pullback" / "tensorflow" / "strings/scripts.py"
HEAD = '''"""The script of each character of Unicode: written by tests/make_scripts.py, not by hand.

Runs of characters of one script, as pairs "length:script" in hexadecimal, from code point 0 on; numbers are those of the ICU library.
"""

from __future__ import annotations

RUNS = """
'''


def main() -> None:
    import tensorflow as tf

    scripts = tf.strings.unicode_script(tf.range(sys.maxunicode + 1)).numpy()
    starts = np.flatnonzero(np.diff(scripts, prepend=-9))
    lengths = np.diff(np.append(starts, len(scripts)))
    runs = [f"{n:x}:{script:x}" for n, script in zip(lengths.tolist(), scripts[starts].tolist(), strict=True)]
    TARGET.write_text(HEAD + "\n".join(textwrap.wrap(" ".join(runs), 138)) + '\n"""\n', encoding="utf-8")


if __name__ == "__main__":
    main()
