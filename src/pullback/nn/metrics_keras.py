"""Keras's metrics as objects: sums over batches in variables, and a result computed from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from ..api.variable import Variable
from ..base.dtypes import as_dtype, float32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import broadcast_to, shape_of
from ..ops.array.create import zeros
from ..ops.math.arithmetic import square
from ..ops.math.cast import cast
from ..ops.math.compare import not_equal
from ..ops.math.division import divide_no_nan
from ..ops.math.functions import sqrt
from ..ops.reduce.reductions import reduce_mean, reduce_sum
from . import metrics_keras_functions as functions
from .losses_keras import same_rank


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


_taken: Counter[str] = Counter()


def _numbered(name: str) -> str:
    """A name for a metric without one: "auc", then "auc_1"."""
    _taken[name] += 1
    return name if _taken[name] == 1 else f"{name}_{_taken[name] - 1}"


@export(v2="keras.metrics.Metric")
class Metric:
    """A metric: `update_state` adds a batch, `result` gives the number, `reset_state` begins anew; calling it does the first two.

    A subclass makes its variables with `add_variable` and gives the first two.  dtype: that of its variables, float32 when None.

    >>> import pullback as tf
    >>> mean = tf.metrics.Mean()
    >>> mean.update_state([1.0, 2.0])
    >>> mean(6.0).numpy().item(), mean.result().numpy().item()
    (3.0, 3.0)
    """

    def __init__(self, dtype: Any = None, name: str | None = None) -> None:
        self.name = name or _numbered(_snake(type(self).__name__))
        self._dtype = float32 if dtype is None else as_dtype(dtype)
        self._variables: list[Variable] = []

    @property
    def dtype(self) -> str:
        """The name of the dtype of the variables."""
        return str(self._dtype.name)

    @property
    def variables(self) -> list[Variable]:
        """The variables that hold the sums."""
        return list(self._variables)

    def add_variable(self, shape: Any, initializer: Any = None, dtype: Any = None, aggregation: Any = None, name: str | None = None) -> Any:
        """A variable that holds a sum, zeros unless an initializer says otherwise."""
        kind = self._dtype if dtype is None else as_dtype(dtype)
        first = zeros(list(shape), kind) if not callable(initializer) else initializer(list(shape), kind)
        variable = Variable(first, trainable=False, name=name or "Variable")
        self._variables.append(variable)
        return variable

    def add_weight(self, shape: Any = (), initializer: Any = None, dtype: Any = None, name: str | None = None) -> Any:
        """`add_variable` under its older name."""
        return self.add_variable(shape, initializer, dtype, name=name)

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch."""
        raise NotImplementedError(f"{type(self).__name__} must have an update_state")

    def result(self) -> Any:
        """The number over all batches."""
        raise NotImplementedError(f"{type(self).__name__} must have a result")

    def reset_state(self) -> None:
        """Begin anew."""
        for variable in self._variables:
            variable.assign(zeros(variable.shape.as_list(), variable.dtype.base_dtype))

    def stateless_reset_state(self) -> list[Any]:
        """What the variables are at the beginning."""
        return [zeros(v.shape.as_list(), v.dtype.base_dtype) for v in self._variables]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.update_state(*args, **kwargs)
        return self.result()

    def get_config(self) -> dict[str, Any]:
        """What makes a metric like this again."""
        return {"name": self.name, "dtype": self.dtype}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A metric of this class from what `get_config` gave."""
        return cls(**config)


def _by_example(values: Any, weights: Any, reduce: Callable[..., Any], dtype: Any) -> tuple[Any, Any]:
    """One number for each example, weighted, and the weights of the examples."""
    values = cast(convert_to_tensor(values), dtype)
    if weights is not None:
        weights = cast(convert_to_tensor(weights), dtype)
        values, weights = same_rank(values, weights)
        rank = len(weights.dims)
        if len(values.dims) > rank:
            values = reduce(values, list(range(rank, len(values.dims))))
        weights = broadcast_to(weights, shape_of(values))
        values = values * weights
        if rank > 1:
            weights = reduce(weights, list(range(1, rank)))
    if len(values.dims) > 1:
        values = reduce(values, list(range(1, len(values.dims))))
    return values, weights


@export(v2="keras.metrics.Sum")
class Sum(Metric):
    """The sum of values, weighted.

    >>> import pullback as tf
    >>> total = tf.metrics.Sum()
    >>> total.update_state([1.0, 2.0]), total.update_state([3.0])
    (None, None)
    >>> total.result().numpy().item()
    6.0
    """

    def __init__(self, name: str = "sum", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), name="total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        found, _ = _by_example(values, sample_weight, reduce_sum, self._dtype)
        self.total.assign_add(reduce_sum(found))

    def result(self) -> Any:
        return convert_to_tensor(self.total)


@export(v2="keras.metrics.Mean")
class Mean(Metric):
    """The mean of values, weighted.

    >>> import pullback as tf
    >>> mean = tf.metrics.Mean()
    >>> mean.update_state([1.0, 2.0])
    >>> mean.update_state([6.0], sample_weight=[2.0])
    >>> float(mean.result())
    3.75
    """

    def __init__(self, name: str = "mean", dtype: Any = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), name="total")
        self.count = self.add_variable((), name="count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        found, weights = _by_example(values, sample_weight, reduce_mean, self._dtype)
        count = 1.0 if not found.dims else shape_of(found)[0] if weights is None else reduce_sum(weights)
        if not found.dims and weights is not None:
            count = weights
        self.total.assign_add(reduce_sum(found))
        self.count.assign_add(cast(convert_to_tensor(count), self._dtype))

    def result(self) -> Any:
        return divide_no_nan(self.total, self.count)


@export(v2="keras.metrics.MeanMetricWrapper")
class MeanMetricWrapper(Mean):
    """The mean of `fn(y_true, y_pred, **kwargs)`.

    >>> import pullback as tf
    >>> worst = tf.metrics.MeanMetricWrapper(lambda y_true, y_pred: tf.reduce_max(tf.abs(y_true - y_pred), -1))
    >>> worst.update_state([[0.0, 1.0], [2.0, 3.0]], [[0.0, 2.0], [2.0, 6.0]])
    >>> float(worst.result())
    2.0
    """

    def __init__(self, fn: Callable[..., Any], name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name or str(getattr(fn, "__name__", "mean")), dtype)
        self._fn, self._arguments = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]  # labels come first
        found = self._fn(convert_to_tensor(y_true), convert_to_tensor(y_pred), **self._arguments)
        super().update_state(found, sample_weight)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}


@export(v2="keras.metrics.RootMeanSquaredError")
class RootMeanSquaredError(Mean):
    """The square root of the mean of squared errors.

    >>> import pullback as tf
    >>> float(tf.metrics.RootMeanSquaredError()([0.0, 0.0], [3.0, 3.0]))
    3.0
    """

    def __init__(self, name: str = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]  # labels come first
        a, b = same_rank(*(cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred)))
        super().update_state(square(b - a), sample_weight)

    def result(self) -> Any:
        return sqrt(super().result())


def _plain(cls: str, fn: Callable[..., Any], own_name: str, meaning: str, example: str, answer: float) -> Any:
    """The class of the mean of a function without arguments of its own, with the answer that an example gives."""

    def __init__(self: Any, name: str = own_name, dtype: Any = None) -> None:
        MeanMetricWrapper.__init__(self, fn, name, dtype)

    about = f"{meaning}\n\n>>> import pullback as tf\n>>> round(float(tf.metrics.{cls}()({example})), 4)\n{answer}\n"
    return type(cls, (MeanMetricWrapper,), {"__init__": __init__, "__doc__": about, "__module__": __name__})


Accuracy = export(v2="keras.metrics.Accuracy")(_plain(
    "Accuracy", functions.accuracy, "accuracy", "How often predictions are equal to labels.",
    "[1, 2, 3, 4], [0, 2, 3, 4]", 0.75,
))  # fmt: skip
CategoricalAccuracy = export(v2="keras.metrics.CategoricalAccuracy")(_plain(
    "CategoricalAccuracy", functions.categorical_accuracy, "categorical_accuracy", "How often the largest prediction is the label's.",
    "[[0.0, 1.0], [1.0, 0.0]], [[0.25, 0.75], [0.25, 0.75]]", 0.5,
))  # fmt: skip
SparseCategoricalAccuracy = export(v2="keras.metrics.SparseCategoricalAccuracy")(_plain(
    "SparseCategoricalAccuracy", functions.sparse_categorical_accuracy, "sparse_categorical_accuracy",
    "How often the largest prediction is that of the class given by number.",
    "[1, 0], [[0.25, 0.75], [0.25, 0.75]]", 0.5,
))  # fmt: skip
MeanSquaredError = export(v2="keras.metrics.MeanSquaredError")(_plain(
    "MeanSquaredError", functions.mse, "mean_squared_error", "The mean of squared errors.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.5,
))  # fmt: skip
MeanAbsoluteError = export(v2="keras.metrics.MeanAbsoluteError")(_plain(
    "MeanAbsoluteError", functions.mae, "mean_absolute_error", "The mean of absolute errors.",
    "[[0.0, 1.0]], [[3.0, 1.0]]", 1.5,
))  # fmt: skip
MeanAbsolutePercentageError = export(v2="keras.metrics.MeanAbsolutePercentageError")(_plain(
    "MeanAbsolutePercentageError", functions.mape, "mean_absolute_percentage_error", "The mean of relative errors, times 100.",
    "[[2.0, 4.0]], [[3.0, 4.0]]", 25.0,
))  # fmt: skip
MeanSquaredLogarithmicError = export(v2="keras.metrics.MeanSquaredLogarithmicError")(_plain(
    "MeanSquaredLogarithmicError", functions.msle, "mean_squared_logarithmic_error", "The mean of squared differences of logarithms.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.2402,
))  # fmt: skip
LogCoshError = export(v2="keras.metrics.LogCoshError")(_plain(
    "LogCoshError", functions.logcosh, "logcosh", "The mean of the logarithm of the hyperbolic cosine of errors.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.2169,
))  # fmt: skip
KLDivergence = export(v2="keras.metrics.KLDivergence")(_plain(
    "KLDivergence", functions.kld, "kl_divergence", "The Kullback-Leibler divergence.",
    "[[0.5, 0.5]], [[0.25, 0.75]]", 0.1438,
))  # fmt: skip
Poisson = export(v2="keras.metrics.Poisson")(_plain(
    "Poisson", functions.poisson, "poisson", "The Poisson loss.",
    "[[2.0, 1.0]], [[1.0, 1.0]]", 1.0,
))  # fmt: skip
Hinge = export(v2="keras.metrics.Hinge")(_plain(
    "Hinge", functions.hinge, "hinge", "The hinge loss.",
    "[[1.0, -1.0]], [[0.5, 0.5]]", 1.0,
))  # fmt: skip
SquaredHinge = export(v2="keras.metrics.SquaredHinge")(_plain(
    "SquaredHinge", functions.squared_hinge, "squared_hinge", "The square of the hinge loss.",
    "[[1.0, -1.0]], [[0.5, 0.5]]", 1.25,
))  # fmt: skip
CategoricalHinge = export(v2="keras.metrics.CategoricalHinge")(_plain(
    "CategoricalHinge", functions.categorical_hinge, "categorical_hinge", "The hinge loss of classes.",
    "[[0.0, 1.0]], [[0.75, 0.25]]", 1.5,
))  # fmt: skip


@export(v2="keras.metrics.BinaryAccuracy")
class BinaryAccuracy(MeanMetricWrapper):
    """How often predictions are on the right side of a threshold.

    >>> import pullback as tf
    >>> float(tf.metrics.BinaryAccuracy(threshold=0.7)([1.0, 0.0], [0.6, 0.6]))
    0.5
    """

    def __init__(self, name: str = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
        if threshold <= 0 or threshold >= 1:
            raise ValueError(f"Invalid value for argument `threshold`. Expected a value in (0, 1). Received: threshold={threshold}")
        super().__init__(functions.binary_accuracy, name, dtype, threshold=threshold)


@export(v2="keras.metrics.TopKCategoricalAccuracy")
class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the label is among the k largest predictions.

    >>> import pullback as tf
    >>> float(tf.metrics.TopKCategoricalAccuracy(k=2)([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]]))
    0.5
    """

    def __init__(self, k: int = 5, name: str = "top_k_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(functions.top_k_categorical_accuracy, name, dtype, k=k)


@export(v2="keras.metrics.SparseTopKCategoricalAccuracy")
class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class given by number is among the k largest predictions.

    >>> import pullback as tf
    >>> float(tf.metrics.SparseTopKCategoricalAccuracy(k=2)([2, 0], [[0.1, 0.7, 0.2], [0.1, 0.7, 0.2]]))
    0.5
    """

    def __init__(
        self, k: int = 5, name: str = "sparse_top_k_categorical_accuracy", dtype: Any = None, from_sorted_ids: bool = False
    ) -> None:
        super().__init__(functions.sparse_top_k_categorical_accuracy, name, dtype, k=k, from_sorted_ids=from_sorted_ids)


@export(v2="keras.metrics.CosineSimilarity")
class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine of the angle between labels and predictions.

    >>> import pullback as tf
    >>> round(float(tf.metrics.CosineSimilarity()([[1.0, 0.0], [1.0, 0.0]], [[2.0, 0.0], [0.0, 3.0]])), 4)
    0.5
    """

    def __init__(self, name: str = "cosine_similarity", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(functions.cosine, name, dtype, axis=axis)


@export(v2="keras.metrics.BinaryCrossentropy")
class BinaryCrossentropy(MeanMetricWrapper):
    """The cross-entropy of labels 0 and 1.

    >>> import pullback as tf
    >>> round(float(tf.metrics.BinaryCrossentropy(from_logits=True)([1.0, 0.0], [0.0, 0.0])), 4)
    0.6931
    """

    def __init__(
        self, name: str = "binary_crossentropy", dtype: Any = None, from_logits: bool = False, label_smoothing: float = 0
    ) -> None:
        super().__init__(functions.binary_crossentropy, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing)


@export(v2="keras.metrics.CategoricalCrossentropy")
class CategoricalCrossentropy(MeanMetricWrapper):
    """The cross-entropy of classes given as distributions.

    >>> import pullback as tf
    >>> round(float(tf.metrics.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]])), 4)
    0.6931
    """

    def __init__(
        self,
        name: str = "categorical_crossentropy",
        dtype: Any = None,
        from_logits: bool = False,
        label_smoothing: float = 0,
        axis: int = -1,
    ) -> None:
        options = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(functions.categorical_crossentropy, name, dtype, **options)


@export(v2="keras.metrics.SparseCategoricalCrossentropy")
class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The cross-entropy of classes given by number.

    >>> import pullback as tf
    >>> round(float(tf.metrics.SparseCategoricalCrossentropy()([1, 0], [[0.5, 0.5], [0.5, 0.5]])), 4)
    0.6931
    """

    def __init__(
        self,
        name: str = "sparse_categorical_crossentropy",
        dtype: Any = None,
        from_logits: bool = False,
        ignore_class: int | None = None,
        axis: int = -1,
    ) -> None:
        options = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(functions.sparse_categorical_crossentropy, name, dtype, **options)
        self._ignored = ignore_class

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]  # labels come first
        if self._ignored is not None and sample_weight is not None:  # without weights Keras counts the ignored, with loss 0
            labels = convert_to_tensor(y_true)
            if len(labels.dims or ()) == len(convert_to_tensor(y_pred).dims or ()):
                labels = labels[..., 0]
            counts = cast(not_equal(labels, cast(self._ignored, labels.dtype)), self._dtype)
            sample_weight = counts * cast(convert_to_tensor(sample_weight), self._dtype)
        super().update_state(y_true, y_pred, sample_weight)


@export(v2="keras.metrics.PearsonCorrelation")
class PearsonCorrelation(MeanMetricWrapper):
    """The mean over examples of the correlation of labels and predictions.

    >>> import pullback as tf
    >>> round(float(tf.metrics.PearsonCorrelation()([[1.0, 2.0, 3.0]], [[10.0, 20.0, 30.0]])), 4)
    1.0
    """

    def __init__(self, name: str = "pearson_correlation", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(functions.pearson_correlation, name, dtype, axis=axis)


@export(v2="keras.metrics.ConcordanceCorrelation")
class ConcordanceCorrelation(MeanMetricWrapper):
    """The mean over examples of Lin's concordance correlation.

    >>> import pullback as tf
    >>> round(float(tf.metrics.ConcordanceCorrelation()([[1.0, 2.0, 3.0]], [[2.0, 3.0, 4.0]])), 4)
    0.5714
    """

    def __init__(self, name: str = "concordance_correlation", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(functions.concordance_correlation, name, dtype, axis=axis)
