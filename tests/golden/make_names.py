"""Record TensorFlow's public names in src/pullback/interop/tensorflow_names.txt: a line for each namespace of both faces.

Beside them, in tests/golden/data/gradient_registry.json: the operations for which TensorFlow has a gradient, or knows that there is none.
Run with an interpreter that has TensorFlow. Keras lazily loads, so only the parts of it that go with gradients are listed.
"""

import json
import types
from pathlib import Path

import tensorflow as tf

REGISTRY = Path(__file__).parent / "data" / "gradient_registry.json"
TARGET = Path(__file__).parents[2] / "src" / "pullback" / "interop" / "tensorflow_names.txt"
KERAS = ["activations", "backend", "constraints", "initializers", "layers", "losses", "metrics", "optimizers", "regularizers"]
LEFT_OUT = {"raw_ops", "keras", "compat", "mlir", "lite", "tpu", "dtensor", "layers", "tensorrt"}
# Namespaces whose experimental names are listed.
EXPERIMENTAL = {
    "autograph", "config", "debugging", "dtypes", "linalg", "nn", "profiler", "quantization", "random", "summary", "test", "train", "types",
}  # fmt: skip
ONE = tf.compat.v1


def public(module: types.ModuleType) -> list[str]:
    return [name for name in dir(module) if not name.startswith("_")]


def is_namespace(value: object) -> bool:
    return isinstance(value, types.ModuleType) and "_api.v2" in vars(value).get("__name__", "")


def namespaces(prefix: str, module: types.ModuleType) -> dict[str, list[str]]:
    names = public(module)
    found = {prefix: names}
    for name in names:
        if name == "experimental" and prefix.rpartition(".")[2] not in EXPERIMENTAL:
            continue
        if name not in LEFT_OUT and is_namespace(value := getattr(module, name)):
            found |= namespaces(f"{prefix}.{name}", value)
    return found


def keras() -> dict[str, list[str]]:
    found = {"tf.keras": public(tf.keras)}
    for name in [*KERAS, "optimizers.schedules"]:
        module = tf.keras
        for part in name.split("."):
            module = getattr(module, part)
        found[f"tf.keras.{name}"] = public(module)
    return found


def experimental() -> dict[str, list[str]]:
    """What is listed of `tf.experimental`: its own names, NumPy's functions, DLPack, and what goes with extension types."""
    found = {"tf.experimental": public(tf.experimental), "tf.experimental.dlpack": public(tf.experimental.dlpack)}
    found |= {"tf.experimental.extension_type": public(tf.experimental.extension_type), "tf1.experimental": public(ONE.experimental)}
    return found | namespaces("tf.experimental.numpy", tf.experimental.numpy)


# Names of TensorFlow 1 that TensorFlow 2's compat.v1 cannot show: contrib is gone, and layers ask for Keras 2.
GONE = {
    "tf1": ["contrib"],
    "tf1.layers": [
        *(f"{kind}{n}d" for kind in ("average_pooling", "max_pooling", "conv") for n in (1, 2, 3)),
        *("batch_normalization", "conv2d_transpose", "conv3d_transpose", "dense", "dropout", "flatten"),
        *("separable_conv1d", "separable_conv2d"),
    ],
}


def registered() -> dict[str, list[str]]:
    """The operations of TensorFlow's registry of gradients: those with a function, those without a gradient; and all of `tf.raw_ops`."""
    from tensorflow.python.framework import ops

    registry = ops.gradient_registry
    functions = {name for name in registry.list() if registry.lookup(name) is not None}
    return {"gradient": sorted(functions), "none": sorted({*registry.list()} - functions), "raw": public(tf.raw_ops)}


def main() -> None:
    two = namespaces("tf", tf) | keras() | experimental() | {"tf.autodiff": public(tf.autodiff)}
    two |= {f"tf.{name}": two[f"tf.keras.{name}"] for name in ("initializers", "losses", "metrics", "optimizers")}
    one = namespaces("tf1", ONE)
    for space, names in GONE.items():
        one[space] = sorted({*one.get(space, []), *names})
    lines = [f"{space}: {' '.join(names)}" for space, names in sorted((two | one).items())]
    TARGET.write_text("\n".join(lines) + "\n")
    REGISTRY.write_text(json.dumps(registered(), indent=1) + "\n")
    print(len(lines), "namespaces,", sum(map(len, (two | one).values())), "names")


if __name__ == "__main__":
    main()
