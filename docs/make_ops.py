"""Write docs/ops.md, the table of all operations, from the registry: `make docs`."""

from itertools import groupby
from pathlib import Path

import pullback  # noqa: F401 - registers every op
from pullback.ir.op import NOTHING, TYPE, VALUE, Op
from pullback.ops.all_operations import load_operations
from pullback.tensorflow.raw_ops.documentation import dtype_words

PAGE = Path(__file__).with_name("ops.md")
HEAD = """# Every operation, and what it supports

Made from the registry by `make docs`; a test keeps it up to date. There are {count} operations. Every one runs eagerly and in graphs, with
unknown dimensions too, and wherever there is a gradient it can be differentiated again, to any order.

- **inputs**: with the dtypes they take. `*` marks an input that stands for any number of tensors.
- **gradient**: the inputs gradients flow to. *none*: no gradient flows, the answer is None. *not registered*: differentiating through it is
  a LookupError, as in TensorFlow.
- **a tape keeps**: the values that stay alive until the gradient is asked for, and nothing else does. `shape of x`: only its type.
- **notes**: *sparse*: `IndexedSlices` pass through without becoming dense. *effects*: it has effects or draws random numbers, so it runs
  each time it is asked for, and is never merged with an equal one.

| operation | inputs | gradient | a tape keeps | notes |
|---|---|---|---|---|
"""


def inputs(op: Op) -> str:
    """The inputs in order, neighbours of the same dtypes together."""
    runs = groupby(op.inputs, key=lambda spec: dtype_words(op, spec))
    return "; ".join(", ".join(f"`{'*' * spec.variadic}{spec.name}`" for spec in run) + f": {taken}" for taken, run in runs)


def gradient(op: Op) -> str:
    if op.rules is None:
        return "_not registered_"
    return ", ".join(op.inputs[i].name for i in op.differentiable) or "_none_"


def kept(op: Op) -> str:
    words = {NOTHING: None, TYPE: "shape of {}", VALUE: "{}"}
    found = [word.format(spec.name) for spec, keep in zip(op.inputs, op.keeps, strict=True) if (word := words[keep])]
    return ", ".join(found + ["the output"] * op.keeps_output)


def row(op: Op) -> str:
    notes = ["sparse"] * op.sparse + ["effects"] * op.stateful
    return f"| `{op.name}` | {inputs(op)} | {gradient(op)} | {kept(op)} | {', '.join(notes)} |"


def page() -> str:
    rows = [row(op) for _, op in sorted(load_operations().items())]
    return HEAD.format(count=len(rows)) + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"written: {PAGE}")
