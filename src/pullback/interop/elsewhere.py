"""What of TensorFlow is out of scope, and why: one table for the errors that programs see and for docs/names.md."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Reason(NamedTuple):
    """Why names are not here.

    why: what they are about, in words.  instead: what a program can do, if anything.
    names: whole names.  parts: pieces of which one is in the name.
    """

    why: str
    instead: str
    names: str = ""
    parts: str = ""


#: Operations of TensorFlow's registry of gradients.
OPERATIONS = (
    Reason(
        "control flow of TensorFlow 1 by tensors that may be dead",
        "tf.cond, tf.while_loop and tf.function make one node of a branch or a loop, which has gradients to any order",
        names="Switch Merge Enter Exit NextIteration LoopCond RefSwitch RefMerge RefEnter RefExit RefNextIteration",
    ),
    Reason(
        "stacks that the gradients of TensorFlow 1's loops keep values in",
        "a tf.TensorArray, or tf.raw_ops.EmptyTensorList, TensorListPushBack and TensorListPopBack, which have gradients",
        names="Stack StackPush StackPop StackClose StackV2 StackPushV2 StackPopV2 StackCloseV2",
    ),
    Reason(
        "not in TensorFlow 2.21 either, whose registry alone has them",
        "",
        names="ScatterNdMul ScatterNdDiv StatelessRandomShuffle",
    ),
    Reason("the inside of TensorFlow's eager execution", "tf.constant", names="_EagerConst"),
    Reason(
        "several lists in one tensor: a list of tensors is a scalar here",
        "tf.raw_ops.TensorListPushBack in tf.vectorized_map",
        names="TensorListPushBackBatch",
    ),
    Reason(
        "devices and what they exchange", "",
        parts="AllToAll Collective CrossReplicaSum Nccl TPU XlaC XlaS XlaV CopyToMesh Relayout CudnnRNN",
    ),
    Reason(
        "readers, queues, tables and files", "",
        parts="Reader Queue LookupTable HashTable InitializeTable LoadAndRemap GenerateVocab Matching LMDB",
    ),
    Reason("input pipelines", "any Python iterator of arrays", names="ReduceDataset"),
    Reason("protocol buffers and audio", "", names="SerializeTensor ParseTensor TensorSummary", parts="Proto Audio"),
    Reason("solvers of linear models in C++", "", parts="Sdca"),
    Reason("tensors kept by a session", "a tf.Variable", parts="SessionHandle SessionTensor"),
)  # fmt: skip


@cache
def reason(name: str) -> Reason | None:
    """Why an operation is out of scope; None where it is not.

    >>> reason("NextIteration").why
    'control flow of TensorFlow 1 by tensors that may be dead'
    """
    whole = next((r for r in OPERATIONS if name in r.names.split()), None)
    return whole or next((r for r in OPERATIONS if any(part in name for part in r.parts.split())), None)


def why_elsewhere(name: str) -> str | None:
    """`reason` as a sentence, with what to do instead."""
    found = reason(name)
    if found is None:
        return None
    return f"{found.why}. Instead: {found.instead}" if found.instead else found.why


__all__ = ["OPERATIONS", "Reason", "reason", "why_elsewhere"]
