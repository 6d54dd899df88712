"""What no operation of the registry may lack: a case, the laws of derivatives, an answer of TensorFlow, documentation.

Where one cannot be had, a table below says why; an entry that is no longer needed fails too.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import pullback
from pullback.ir.op import OPS
from pullback.ops.all_operations import load_operations
from pullback.tensorflow.raw_ops.operations import composed_operations
from tests import cases as table
from tests.applied import by_cases, by_programs
from tests.golden import store
from tests.golden.replay import applied

OPERATIONS = sorted(load_operations())
GOLDEN = {family: store.read(f"cases_{family}").get("cases", {}) for family in table.families()}
#: Programs whose answers TensorFlow has not given: what it cannot do is held against differences.
OURS_ALONE = frozenset({"images_beyond"})


# Operations that no case or program applies where the first derivative ends.
WITHOUT_CASE = {
    "PyFuncsTogether": "made of calls by plans: tests/golden/programs/py_functions.py",
    "IgammaOrders": "applied in second derivatives: tests/test_igamma_orders.py",
    "TensorListDropBack": "the derivative of TensorListPushNothing: tests/test_tensor_list.py",
}


def test_each_has_a_case() -> None:
    """Some case really applies it, forwards or in its gradient, or (variables, optimizers, control flow) some golden program does."""
    without = [name for name in OPERATIONS if name not in by_cases() and name not in by_programs()]
    assert without == sorted(WITHOUT_CASE)


# Operations with a gradient that no smooth case applies, by what judges their derivatives instead.
JUDGED_BY = {
    "tests/golden/programs/images_beyond.py": """
        AdjustContrastv2 AdjustHue AdjustSaturation Dilation2DTangent DrawBoundingBoxes DrawBoundingBoxesV2 ExtractGlimpse
        ExtractGlimpseGrad ExtractGlimpseV2 ExtractGlimpseV2Grad HSVToRGB ImageProjectiveTransformV2 ResizeArea ResizeAreaGrad
        SampleImages SampleImagesGrad""",
    "tests/test_rnn_blocks.py": "BlockLSTMGradV2 BlockLSTMV2 GRUBlockCell GRUBlockCellGrad LSTMBlockCell LSTMBlockCellGrad",
    "tests/test_nn_more.py": """
        BatchNormWithGlobalNormalizationGrad CTCLossDenseDerivative CTCLossDerivative CTCLossV2Derivative LRNGrad""",
    "tests/test_sparse_beyond.py": "DenseCountSparseOutput RaggedBincount RaggedCountSparseOutput SparseBincount SparseCountSparseOutput",
    "tests/test_igamma_orders.py": "IgammaOrders RandomGamma RandomGammaGrad StatelessRandomGammaV2 StatelessRandomGammaV3",
    "tests/golden/programs/resources.py": "ResourceGather ResourceGatherNd",
    "tests/golden/programs/resources_v1.py": "DebugGradientRefIdentity RefIdentity",
    "tests/golden/programs/custom_graph.py": "PreventGradient",
    "tests/test_tensor_list.py": "TensorListDropBack",
    "tests/golden/programs/gradients_twice.py": "TensorListPushNothing",
    "tests/golden/programs/tensor_arrays.py": "TensorListResize",
    "tests/golden/programs/tensor_arrays_v1.py": "TensorListFresh TensorListOnce",
    "tests/golden/programs/switches.py": "Switch",
}
# Operations whose gradient is no derivative, or has none in its turn.
NO_LAW = {
    "rounds; its gradient is that of the straight line, and TensorFlow's": """
        FakeQuantWithMinMaxArgs FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient
        FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient QuantizeAndDequantize QuantizeAndDequantizeV2
        QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 QuantizeAndDequantizeV4Grad""",
    "goes by units in the last place; its gradient is TensorFlow's": "NextAfter",
    "its draws jump where one is rejected; its gradient is TensorFlow's": "StatelessParameterizedTruncatedNormal",
    "TensorFlow's debugger is what its gradient is for": "DebugGradientIdentity",
}


def places(lists: dict[str, str]) -> dict[str, str]:
    """By operation, where a table names it."""
    return {name: place for place, names in lists.items() for name in names.split()}


ELSEWHERE = places(JUDGED_BY) | places(NO_LAW)


def test_no_operation_is_named_twice() -> None:
    assert len(ELSEWHERE) == sum(len(names.split()) for names in [*JUDGED_BY.values(), *NO_LAW.values()])
    assert set(ELSEWHERE) <= set(OPERATIONS)


@pytest.mark.parametrize("place", JUDGED_BY)
def test_what_judges_is_there(place: str) -> None:
    """A program applies what it is to judge."""
    path = Path(__file__).parents[1] / place
    assert path.exists()
    if path.parent.name == "programs":
        assert set(JUDGED_BY[place].split()) <= applied(path.stem)


def test_the_laws_judge_the_derivatives_of_each() -> None:
    """tests/test_laws.py takes differences, forward mode and second derivatives of the cases that are smooth."""
    judged = {name for name, uses in by_cases().items() if any(use.case.smooth and use.has_gradient for use in uses)}
    with_derivatives = {name for name in OPERATIONS if OPS[name].rules}
    assert sorted(with_derivatives - judged - set(ELSEWHERE)) == [], "no smooth case applies these"
    assert sorted(judged & set(ELSEWHERE)) == [], "a table names these, and the laws judge them"


# Operations that TensorFlow has no answer for.
NO_ANSWER = {
    "TensorFlow has no kernel for CPUs": """
        CTCLossV2 GenerateBoundingBoxProposals IFFTND IRFFTND MaxPoolGradGradWithArgmax RFFTND SparseMatrixAdd
        SparseMatrixMul SparseMatrixSoftmax SparseMatrixSoftmaxGrad""",
    "TensorFlow's collectives are of groups of devices, by numbers": """
        ReplicaAllGather ReplicaAllReduce ReplicaAllReduceFinish ReplicaAllReduceRows ReplicaAllReduceStart
        ReplicaExchange ReplicaBroadcast ReplicaReduce ReplicaReduceScatter
        Shard""",
    "TensorFlow has given it up": """
        BatchNormWithGlobalNormalization BatchNormWithGlobalNormalizationGrad QuantizeAndDequantize RandomCrop RandomPoisson TopK""",
    "it stands for several, each of which has an answer": "PyFuncsTogether",
    "it is the derivative of a place without an element": "TensorListDropBack",
    "derivatives that TensorFlow does not have are made of it": """
        CTCLossDenseDerivative CTCLossDerivative CTCLossV2Derivative Dilation2DTangent ExtractGlimpseGrad
        ExtractGlimpseV2Grad FractionalAvgPoolGradGrad FractionalMaxPoolGradGrad IgammaOrders ResizeAreaGrad SampleImages
        SampleImagesGrad""",
}
UNANSWERED = places(NO_ANSWER)


def test_an_answer_of_tensorflow_is_held_against_each() -> None:
    """Of a case or of a program: its own, or what it is part of."""
    by_case = {name for name, uses in by_cases().items() if any("outputs" in GOLDEN[u.family].get(u.case.id, {}) for u in uses)}
    answered = by_case | {name for name, programs in by_programs().items() if programs - OURS_ALONE}
    assert sorted(set(OPERATIONS) - answered - set(UNANSWERED)) == [], "TensorFlow has answered no case or program of these"
    assert sorted(answered & set(UNANSWERED)) == [], "named as without an answer, and with one"


def test_each_is_documented() -> None:
    """`help(tf.raw_ops.Name)` says all that it takes; docs/ops.md, which tests/test_docs.py holds against the registry, has its row."""
    functions = {name: getattr(pullback.raw_ops, name) for name in dir(pullback.raw_ops)}
    assert [name for name, function in functions.items() if not inspect.getdoc(function)] == []
    unsaid = {
        name: [word for word in inspect.signature(function).parameters if word != "name" and f"`{word}`" not in function.__doc__]
        for name, function in functions.items()
        if name not in composed_operations()
    }
    assert {name: words for name, words in unsaid.items() if words} == {}
