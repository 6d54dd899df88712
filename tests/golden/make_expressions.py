"""Record what TensorFlow's regular expressions match and replace, in tests/golden/data/expressions.json.

Expressions and strings are drawn: anchors, classes, choices, repeats of every kind, flags, characters of several bytes and bytes that are
none.  Strings are written as Latin-1, a character for each byte.
"""

import json
import random
from pathlib import Path

import tensorflow as tf

TARGET = Path(__file__).parent / "data" / "expressions.json"
COUNT, TRIED = 160, 4000
PIECES = [
    "a", "b", "c", ".", "[ab]", "[^a]", "\\n", "é", "[é-ж]", "\\w", "\\d", "\\W", "[^\\W_]", "ж", "\\pL", "\\P{Lu}", "\\p{^Lu}",
    "[[:alpha:]]", "[[:^space:]]", "\\x41", "\\x{e9}", "\\Qa+\\E", "[a\\-c]", "[]a]", "[^]a]", "[a-]", "\\.", "\\041", "\\s", "[\\d_]",
    "(?i)", "(?s)", "(?m)", "(?U)", "(?i-s)", "^", "$", "\\b", "\\B", "\\A", "\\z", "|", "{", "a{,2}", "]", "-", "(?:)", "()",
]  # fmt: skip
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{0,2}?", "{0}"]
FLAGS = [piece for piece in PIECES if piece.startswith("(?") and piece.endswith(")") and piece != "(?:)"]  # no repeats of these here
GROUPS = ("(", "(?:", "(?i:", "(?s-i:", "(?m:", "(?U:")
CHUNKS = [b"a", b"b", b"c", b"A", b"\n", *(c.encode() for c in "éÉжK1 _-+]{"), b"\xff", b"\xc3", b"\xed\xa0\x80"]


def drawn(rng: random.Random, depth: int) -> str:
    out = ""
    for _ in range(rng.randint(1, 4)):
        inner = depth > 0 and rng.random() < 0.35
        piece = f"{rng.choice(GROUPS)}{drawn(rng, depth - 1)})" if inner else rng.choice(PIECES)
        out += piece + (rng.choice(REPEATS) if rng.random() < 0.3 and (inner or piece not in FLAGS) else "")
    return out


def text(found: object) -> list[str]:
    return [s.decode("latin-1") for s in found.numpy().tolist()]


def main() -> None:
    rng = random.Random(2)
    strings = [b"", *(b"".join(rng.choices(CHUNKS[:5] if i % 2 else CHUNKS, k=rng.randint(1, 6))) for i in range(23))]
    x = tf.constant(strings)
    found = []
    for _ in range(TRIED):
        pattern = drawn(rng, 2)
        if len(found) == COUNT or len(pattern) > 30:
            continue
        try:
            matched = tf.raw_ops.StaticRegexFullMatch(input=x, pattern=pattern).numpy()
        except tf.errors.InvalidArgumentError:
            continue
        everywhere = text(tf.raw_ops.StaticRegexReplace(input=x, pattern=pattern, rewrite="<\\0>"))
        once = text(tf.raw_ops.StaticRegexReplace(input=x, pattern=pattern, rewrite="-", replace_global=False))
        changed = [s.decode("latin-1") != t for s, t in zip(strings, everywhere, strict=True)]
        if not any(changed) or (all(changed) and rng.random() < 0.7):
            continue  # what changes nothing, and most of what is empty everywhere, tests little
        by_group = text(tf.raw_ops.StaticRegexReplace(input=x, pattern=pattern, rewrite="<\\1>"))
        has_group = any(t.encode("latin-1") != s for s, t in zip(strings, by_group, strict=True))
        found.append([pattern, [int(m) for m in matched], everywhere, once, by_group if has_group else None])
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    shown = json.dumps([s.decode("latin-1") for s in strings], ensure_ascii=False)
    TARGET.write_text(f'{{"strings": {shown},\n"expressions": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
