"""Record the signatures of TensorFlow's public functions and classes, both faces, in tests/golden/data/signatures.json.

Only namespaces that Pullback has are recorded: "tf.math.add": [["x", null], ["y", null], ["name", "None"]]; the second of a pair
is the default as Python writes it, null for none.
"""

import inspect
import json
from pathlib import Path

import tensorflow as tf

from tests.golden.make_names import experimental, keras, namespaces

TARGET = Path(__file__).parent / "data" / "signatures.json"
PLAIN = (int, float, str, bool, type(None), tuple, list)


def default_of(parameter: inspect.Parameter) -> str | None:
    value = parameter.default
    if value is inspect.Parameter.empty:
        return None
    return repr(value) if isinstance(value, PLAIN) else getattr(value, "name", type(value).__name__)


def signature(value: object) -> list[list[str | None]] | None:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [[marks.get(p.kind, "") + p.name, default_of(p)] for p in parameters]


def main() -> None:
    found = {}
    for space, names in (namespaces("tf", tf) | keras() | experimental() | namespaces("tf1", tf.compat.v1)).items():
        module = tf.compat.v1 if space.startswith("tf1") else tf
        for part in space.split(".")[1:]:
            module = getattr(module, part)
        for name in names:
            value = vars(module).get(name) or getattr(module, name, None)
            if callable(value) and (known := signature(value)) is not None:
                found[f"{space}.{name}"] = known
    TARGET.write_text("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(found.items())) + "\n}\n")
    print(len(found), "signatures")


if __name__ == "__main__":
    main()
