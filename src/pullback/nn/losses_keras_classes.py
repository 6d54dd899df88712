"""Keras's losses as objects: a loss function, what it is called with, and how the losses of examples become one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..base import nest
from ..base.dtypes import as_dtype, float32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.array.shape import size
from ..ops.math.cast import cast
from ..ops.math.compare import not_equal
from ..ops.math.division import divide_no_nan
from ..ops.reduce.reductions import reduce_sum
from . import losses_keras as functions

REDUCTIONS = ("sum_over_batch_size", "sum", None, "none", "mean", "mean_with_sample_weight")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def reduced(values: Any, sample_weight: Any, reduction: str | None, counts: Any = None) -> Any:
    """The losses of examples, weighted, as one.

    counts: which examples count at all; the mean is over those.
    """
    weights = None if sample_weight is None else cast(convert_to_tensor(sample_weight), values.dtype)
    if counts is not None:
        share = cast(counts, values.dtype)
        if reduction in ("mean", "sum_over_batch_size"):
            share = share * divide_no_nan(cast(size(share), values.dtype), reduce_sum(share))
        if weights is not None:
            share, weights = functions.same_rank(share, weights)
        weights = share if weights is None else weights * share
    if weights is not None:
        values, weights = functions.same_rank(values, weights)
        values = values * weights
    if reduction in (None, "none") or values.dims in ((), (0,)):
        return values
    total = reduce_sum(values)
    if reduction == "sum":
        return total
    if reduction == "mean_with_sample_weight" and weights is not None:
        return divide_no_nan(total, reduce_sum(weights))
    return divide_no_nan(total, cast(size(values), values.dtype))


@export(v2="keras.losses.Loss")
class Loss:
    """A loss to be called with labels, predictions and weights; a subclass gives `call(y_true, y_pred)`, a loss for each example.

    reduction: "sum_over_batch_size" (the mean), "sum", "mean_with_sample_weight" (over the weights' sum), or None for none.  dtype: what
    labels and predictions are brought to, float32 when None.  Raises ValueError for another reduction.

    >>> import pullback as tf
    >>> class Absolute(tf.losses.Loss):
    ...     def call(self, y_true, y_pred):
    ...         return tf.reduce_mean(tf.abs(y_true - y_pred), -1)
    >>> Absolute()(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0, 4.0], [3.0, 4.0]])).numpy().item()
    0.5
    """

    def __init__(self, name: str | None = None, reduction: str | None = "sum_over_batch_size", dtype: Any = None) -> None:
        if reduction not in REDUCTIONS:
            raise ValueError(f"Invalid value for argument `reduction`. Expected one of {REDUCTIONS}. Received: reduction={reduction}")
        self.name, self.reduction = name or _snake(type(self).__name__), reduction
        self._dtype = float32 if dtype is None else as_dtype(dtype)

    @property
    def dtype(self) -> str:
        """The name of the dtype of labels and predictions."""
        return str(self._dtype.name)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The loss of each example."""
        raise NotImplementedError(f"{type(self).__name__} must have a call")

    def counts(self, y_true: Any, y_pred: Any) -> Any:
        """Which examples count, None for all."""
        return None

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        def brought(x: Any) -> Any:
            return cast(convert_to_tensor(x), self._dtype)

        y_true, y_pred = nest.map_structure(brought, y_true), nest.map_structure(brought, y_pred)
        return reduced(self.call(y_true, y_pred), sample_weight, self.reduction, self.counts(y_true, y_pred))

    def get_config(self) -> dict[str, Any]:
        """What makes a loss like this again."""
        return {"name": self.name, "reduction": self.reduction}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """A loss of this class from what `get_config` gave."""
        return cls(**config)


class FunctionLoss(Loss):
    """A loss made of a function of labels and predictions, and its other arguments."""

    def __init__(
        self, fn: Callable[..., Any], reduction: Any = "sum_over_batch_size", name: Any = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.fn, self._arguments = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> Any:
        pair = (y_true, y_pred) if nest.is_nested(y_pred) else functions.same_rank(y_true, y_pred)
        return self.fn(*pair, **self._arguments)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._arguments}


def _plain(cls: str, fn: Callable[..., Any], own_name: str, meaning: str, example: str, answer: float) -> Any:
    """The class of a loss without arguments of its own, with the answer that an example gives."""

    def __init__(self: Any, reduction: str | None = "sum_over_batch_size", name: str = own_name, dtype: Any = None) -> None:
        FunctionLoss.__init__(self, fn, reduction, name, dtype)

    about = f"{meaning}\n\n>>> import pullback as tf\n>>> round(float(tf.losses.{cls}()({example})), 4)\n{answer}\n"
    return type(cls, (FunctionLoss,), {"__init__": __init__, "__doc__": about, "__module__": __name__})


MeanSquaredError = export(v2="keras.losses.MeanSquaredError")(_plain(
    "MeanSquaredError", functions.mean_squared_error, "mean_squared_error", "The mean of squared errors.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.5,
))  # fmt: skip
MeanAbsoluteError = export(v2="keras.losses.MeanAbsoluteError")(_plain(
    "MeanAbsoluteError", functions.mean_absolute_error, "mean_absolute_error", "The mean of absolute errors.",
    "[[0.0, 1.0]], [[3.0, 1.0]]", 1.5,
))  # fmt: skip
MeanAbsolutePercentageError = export(v2="keras.losses.MeanAbsolutePercentageError")(_plain(
    "MeanAbsolutePercentageError", functions.mean_absolute_percentage_error, "mean_absolute_percentage_error",
    "The mean of absolute errors relative to the labels, times 100.",
    "[[2.0, 4.0]], [[3.0, 4.0]]", 25.0,
))  # fmt: skip
MeanSquaredLogarithmicError = export(v2="keras.losses.MeanSquaredLogarithmicError")(_plain(
    "MeanSquaredLogarithmicError", functions.mean_squared_logarithmic_error, "mean_squared_logarithmic_error",
    "The mean of squared differences of logarithms.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.2402,
))  # fmt: skip
LogCosh = export(v2="keras.losses.LogCosh")(_plain(
    "LogCosh", functions.logcosh, "log_cosh", "The mean of the logarithm of the hyperbolic cosine of errors.",
    "[[0.0, 1.0]], [[1.0, 1.0]]", 0.2169,
))  # fmt: skip
KLDivergence = export(v2="keras.losses.KLDivergence")(_plain(
    "KLDivergence", functions.kullback_leibler_divergence, "kl_divergence", "The Kullback-Leibler divergence.",
    "[[0.5, 0.5]], [[0.25, 0.75]]", 0.1438,
))  # fmt: skip
Poisson = export(v2="keras.losses.Poisson")(_plain(
    "Poisson", functions.poisson, "poisson", "The Poisson loss.",
    "[[2.0, 1.0]], [[1.0, 1.0]]", 1.0,
))  # fmt: skip
Hinge = export(v2="keras.losses.Hinge")(_plain(
    "Hinge", functions.hinge, "hinge", "The hinge loss, labels being -1 and 1, or 0 and 1.",
    "[[1.0, -1.0]], [[0.5, 0.5]]", 1.0,
))  # fmt: skip
SquaredHinge = export(v2="keras.losses.SquaredHinge")(_plain(
    "SquaredHinge", functions.squared_hinge, "squared_hinge", "The square of the hinge loss.",
    "[[1.0, -1.0]], [[0.5, 0.5]]", 1.25,
))  # fmt: skip
CategoricalHinge = export(v2="keras.losses.CategoricalHinge")(_plain(
    "CategoricalHinge", functions.categorical_hinge, "categorical_hinge", "The hinge loss of classes.",
    "[[0.0, 1.0]], [[0.75, 0.25]]", 1.5,
))  # fmt: skip
CTC = export(v2="keras.losses.CTC")(_plain(
    "CTC", functions.ctc, "ctc", "The loss of connectionist temporal classification.",
    "[[1, 2]], [[[0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]]", 0.072,
))  # fmt: skip


@export(v2="keras.losses.CosineSimilarity")
class CosineSimilarity(FunctionLoss):
    """Minus the cosine of the angle between labels and predictions along `axis`.

    >>> import pullback as tf
    >>> round(float(tf.losses.CosineSimilarity()([[1.0, 0.0], [1.0, 0.0]], [[2.0, 0.0], [0.0, 3.0]])), 4)
    -0.5
    """

    def __init__(
        self, axis: int = -1, reduction: Any = "sum_over_batch_size", name: str = "cosine_similarity", dtype: Any = None
    ) -> None:
        super().__init__(functions.cosine_similarity, reduction, name, dtype, axis=axis)


@export(v2="keras.losses.Huber")
class Huber(FunctionLoss):
    """Huber's loss: half the square up to an error of `delta`, linear beyond.

    >>> import pullback as tf
    >>> float(tf.losses.Huber(delta=1.0, reduction="sum")([[0.0], [0.0]], [[0.5], [3.0]]))
    2.625
    """

    def __init__(
        self, delta: float = 1.0, reduction: Any = "sum_over_batch_size", name: str = "huber_loss", dtype: Any = None
    ) -> None:
        super().__init__(functions.huber, reduction, name, dtype, delta=delta)


@export(v2="keras.losses.BinaryCrossentropy")
class BinaryCrossentropy(FunctionLoss):
    """The cross-entropy of labels 0 and 1.

    >>> import pullback as tf
    >>> tf.losses.BinaryCrossentropy(from_logits=True)([1.0, 0.0], [0.0, 0.0]).numpy().round(4)
    np.float32(0.6931)
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: Any = "sum_over_batch_size",
        name: str = "binary_crossentropy",
        dtype: Any = None,
    ) -> None:
        options = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(functions.binary_crossentropy, reduction, name, dtype, **options)


@export(v2="keras.losses.BinaryFocalCrossentropy")
class BinaryFocalCrossentropy(FunctionLoss):
    """The cross-entropy of labels 0 and 1, what is easy counting little.

    >>> import pullback as tf
    >>> round(float(tf.losses.BinaryFocalCrossentropy(gamma=2.0)([1.0, 0.0], [0.5, 0.5])), 4)
    0.1733
    """

    def __init__(
        self,
        apply_class_balancing: bool = False,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: Any = "sum_over_batch_size",
        name: str = "binary_focal_crossentropy",
        dtype: Any = None,
    ) -> None:
        options = {"apply_class_balancing": apply_class_balancing, "alpha": alpha, "gamma": gamma, "from_logits": from_logits}
        options |= {"label_smoothing": label_smoothing, "axis": axis}
        super().__init__(functions.binary_focal_crossentropy, reduction, name, dtype, **options)


@export(v2="keras.losses.CategoricalCrossentropy")
class CategoricalCrossentropy(FunctionLoss):
    """The cross-entropy of classes given as distributions.

    >>> import pullback as tf
    >>> tf.losses.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(4)
    np.float32(0.6931)
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: Any = "sum_over_batch_size",
        name: str = "categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        options = {"from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(functions.categorical_crossentropy, reduction, name, dtype, **options)


@export(v2="keras.losses.CategoricalFocalCrossentropy")
class CategoricalFocalCrossentropy(FunctionLoss):
    """The cross-entropy of classes given as distributions, what is easy counting little.

    >>> import pullback as tf
    >>> round(float(tf.losses.CategoricalFocalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]])), 4)
    0.0433
    """

    def __init__(
        self,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: Any = "sum_over_batch_size",
        name: str = "categorical_focal_crossentropy",
        dtype: Any = None,
    ) -> None:
        options = {"alpha": alpha, "gamma": gamma, "from_logits": from_logits, "label_smoothing": label_smoothing, "axis": axis}
        super().__init__(functions.categorical_focal_crossentropy, reduction, name, dtype, **options)


@export(v2="keras.losses.SparseCategoricalCrossentropy")
class SparseCategoricalCrossentropy(FunctionLoss):
    """The cross-entropy of classes given by number; the mean is over the examples that are not of `ignore_class`.

    >>> import pullback as tf
    >>> loss = tf.losses.SparseCategoricalCrossentropy(ignore_class=-1)
    >>> round(float(loss(tf.constant([1, -1]), tf.constant([[0.5, 0.5], [0.9, 0.1]]))), 4)
    0.6931
    """

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: Any = "sum_over_batch_size",
        axis: int = -1,
        name: str = "sparse_categorical_crossentropy",
        dtype: Any = None,
    ) -> None:
        options = {"from_logits": from_logits, "ignore_class": ignore_class, "axis": axis}
        super().__init__(functions.sparse_categorical_crossentropy, reduction, name, dtype, **options)

    def counts(self, y_true: Any, y_pred: Any) -> Any:
        ignored = self._arguments["ignore_class"]
        if ignored is None:
            return None
        y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        if y_true.dims is not None and y_pred.dims is not None and len(y_true.dims) == len(y_pred.dims):
            y_true = y_true[..., 0]
        return not_equal(y_true, float(ignored))


@export(v2="keras.losses.Dice")
class Dice(FunctionLoss):
    """Dice's loss, over `axis` or everything.

    >>> import pullback as tf
    >>> round(float(tf.losses.Dice()([[1.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]])), 4)
    0.3333
    """

    def __init__(self, reduction: Any = "sum_over_batch_size", name: str = "dice", axis: Any = None, dtype: Any = None) -> None:
        super().__init__(functions.dice, reduction, name, dtype, axis=axis)


@export(v2="keras.losses.Tversky")
class Tversky(FunctionLoss):
    """Tversky's loss, over `axis` or everything.

    >>> import pullback as tf
    >>> round(float(tf.losses.Tversky(alpha=1.0, beta=0.0)([[1.0, 1.0, 0.0]], [[1.0, 0.0, 0.0]])), 4)
    0.5
    """

    def __init__(
        self,
        alpha: float = 0.5,
        beta: float = 0.5,
        reduction: Any = "sum_over_batch_size",
        name: str = "tversky",
        axis: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(functions.tversky, reduction, name, dtype, alpha=alpha, beta=beta, axis=axis)


@export(v2="keras.losses.Circle")
class Circle(FunctionLoss):
    """The circle loss of embeddings.

    >>> import pullback as tf
    >>> embeddings = tf.math.l2_normalize([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]], axis=-1)
    >>> tf.losses.Circle(reduction=None)([0, 0, 1, 1], embeddings).shape
    TensorShape([4])
    """

    def __init__(
        self,
        gamma: float = 80.0,
        margin: float = 0.4,
        remove_diagonal: bool = True,
        reduction: Any = "sum_over_batch_size",
        name: str = "circle",
        dtype: Any = None,
    ) -> None:
        super().__init__(functions.circle, reduction, name, dtype, gamma=gamma, margin=margin, remove_diagonal=remove_diagonal)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return functions.circle(y_true, y_pred, **self._arguments)


@export(v2="keras.losses.CategoricalGeneralizedCrossEntropy")
class CategoricalGeneralizedCrossEntropy(FunctionLoss):
    """(1 - p**q) / q for the probability p of each example's class.

    >>> import pullback as tf
    >>> float(tf.losses.CategoricalGeneralizedCrossEntropy(q=0.5)([1, 0], [[0.75, 0.25], [0.25, 0.75]]))
    1.0
    """

    def __init__(
        self,
        q: float = 0.5,
        reduction: Any = "sum_over_batch_size",
        name: str = "categorical_generalized_cross_entropy",
        dtype: Any = None,
    ) -> None:
        if not 0 < q < 1:
            raise ValueError("q must be in the interval (0, 1)")
        super().__init__(functions.categorical_generalized_cross_entropy, reduction, name, dtype, q=q)


# ---------------------------------------------------------------------- by name


def _known() -> dict[str, Any]:
    classes = {n: c for n, c in globals().items() if isinstance(c, type) and issubclass(c, Loss) and c not in (Loss, FunctionLoss)}
    named = {n: f for n, f in vars(functions).items() if callable(f) and getattr(f, "__module__", "") == functions.__name__}
    return {**named, **classes}


@export(v2="keras.losses.get")
def get(identifier: Any) -> Any:
    """A loss by what names it: a name of a class or function, a configuration, or a function or loss itself; None stays None.

    Raises ValueError for another name.

    >>> import pullback as tf
    >>> tf.losses.get("mse") is tf.losses.mse
    True
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (dict, str)):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret loss identifier: {identifier}")


@export(v2="keras.losses.deserialize")
def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """A loss from what `serialize` gave, or by name; custom_objects: more names.

    >>> import pullback as tf
    >>> tf.losses.deserialize({"class_name": "Huber", "config": {"delta": 2.0}}).get_config()["delta"]
    2.0
    """
    known = {**_known(), **(custom_objects or {})}
    key = name.get("class_name", name.get("config")) if isinstance(name, dict) else name
    if key not in known:
        raise ValueError(f"Could not interpret loss identifier: {name}")
    found = known[key]
    if isinstance(found, type):
        return found.from_config(name.get("config", {})) if isinstance(name, dict) else found()  # type: ignore[attr-defined]  # a Loss
    return found


@export(v2="keras.losses.serialize")
def serialize(loss: Any) -> Any:
    """What `deserialize` makes a loss of again: a name, or a class and its configuration.

    >>> import pullback as tf
    >>> tf.losses.serialize(tf.losses.mse), tf.losses.serialize(tf.losses.Huber())["class_name"]
    ('mean_squared_error', 'Huber')
    """
    if isinstance(loss, Loss):
        return {"module": "keras.losses", "class_name": type(loss).__name__, "config": loss.get_config(), "registered_name": None}
    return loss.__name__


@export(v2="keras.losses.Reduction")
class Reduction:
    """The names of reductions, as Keras 2 had them.

    >>> import pullback as tf
    >>> tf.losses.MeanSquaredError(reduction=tf.losses.Reduction.SUM)([[0.0, 2.0]], [[0.0, 0.0]]).numpy()
    np.float32(2.0)
    """

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All the names."""
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: str) -> None:
        """Refuse what is no name."""
        if key not in cls.all():
            raise ValueError(f'Invalid Reduction Key: {key}. Expected keys are "{cls.all()}"')

