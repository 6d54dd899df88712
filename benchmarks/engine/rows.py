"""The table of works: what is computed, at what size, and how far ahead of the best peer it is to be."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from benchmarks.engine.works import (
    ba,
    banded,
    chain,
    convnet,
    curvature,
    embedding,
    fused,
    gmm,
    hessian,
    jacobian,
    lstm,
    mlp,
    per_example,
    rnn,
    sparse,
    transformer,
)


@dataclass(frozen=True)
class Row:
    """`ahead` is the least ratio of the best peer's time to ours; `level_with` names a row whose best peer ours is to be level with."""

    title: str
    work: ModuleType
    sizes: dict[str, Any]
    ahead: float | None = None
    under_seconds: float | None = None
    level_with: str | None = None
    times_of: tuple[str, float] | None = None
    tolerance: float = 1e-4


MIXTURE = {"n": 1_000, "d": 10, "k": 25}
LARGE_MIXTURE = {"n": 10_000, "d": 32, "k": 25}

ROWS = {
    "chain16": Row("chain of 200 operations with its gradient, 16 floats", chain, {"n": 16}, ahead=4, under_seconds=5e-6),
    "chain100k": Row("the same, 100,000 floats", chain, {"n": 100_000}, ahead=3),
    "fused": Row("sum(tanh(x)*exp(-x*x)+log1p(x*x)) with its gradient, 4,000,000 floats", fused, {"n": 4_000_000}, ahead=3),
    "mlp": Row("training step, dense 784-512-512-10, batch 128", mlp, {}, ahead=1.2),
    "gmm": Row(
        "GMM gradient, n=1,000 d=10 K=25, float64, plain form",
        gmm,
        MIXTURE | {"products": False},
        ahead=3,
        level_with="gmm-products",
        tolerance=1e-9,
    ),
    "gmm-products": Row("the same, written as matrix products", gmm, MIXTURE | {"products": True}, tolerance=1e-9),
    "gmm-large": Row(
        "GMM gradient, n=10,000 d=32 K=25, float64, plain form",
        gmm,
        LARGE_MIXTURE | {"products": False},
        ahead=3,
        level_with="gmm-large-products",
        tolerance=1e-9,
    ),
    "gmm-large-products": Row("the same, written as matrix products", gmm, LARGE_MIXTURE | {"products": True}, tolerance=1e-9),
    "ba": Row(
        "BA Jacobian blocks, 30,000 observations, float64",
        ba,
        {"observations": 30_000, "cameras": 50, "points": 8_000},
        ahead=4,
        tolerance=1e-9,
    ),
    "lstm": Row("training step, LSTM language model, hidden 256, 50 steps, batch 32", lstm, {}, ahead=1.3),
    "rnn": Row("while_loop RNN with its gradient, 1,000 steps, hidden 64, batch 1", rnn, {}, ahead=2.5),
    # Of 1.2 million activations some lie within rounding of zero, where libraries, and each with other vectors, take either side of ReLU.
    "convnet": Row("training step, convnet 5x5x32, 5x5x64, dense 512, batch 64", convnet, {}, ahead=1, tolerance=2e-3),
    "transformer": Row("training step, transformer block d=256, 4 heads, T=128, batch 8", transformer, {}, ahead=1.3),
    "gradient": Row("gradient, tanh network 784-256-10, batch 128", curvature, {"product": False}),
    "hvp": Row("Hessian-vector product of the same", curvature, {"product": True}, ahead=1, times_of=("gradient", 3)),
    "embedding": Row("training step, 4,096 ids of a 100,000 x 64 table", embedding, {"rows": 100_000}, ahead=1.3),
    "embedding-large": Row("the same, of a table five times as large", embedding, {"rows": 500_000}, times_of=("embedding", 1.5)),
    "jacobian": Row("Jacobians of a 100-100-100 tanh network, batch 64", jacobian, {}, ahead=1),
    "per-example": Row("per-example gradients, tanh network 784-128-10, batch 128", per_example, {}, ahead=1),
    "hessian": Row("Hessian of a loss of 50 parameters", hessian, {}, ahead=1),
    "function": Row("a banded function, n=100,000, float64", banded, {"jacobian": False}, tolerance=1e-9),
    "banded": Row("its tridiagonal Jacobian in three passes", banded, {"jacobian": True}, times_of=("function", 10), tolerance=1e-9),
    "sparse": Row("the same found and coloured by the library", sparse, {}, times_of=("function", 10), tolerance=1e-9),
}
