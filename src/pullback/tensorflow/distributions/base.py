"""What all distributions have: shapes, draws, densities, and statistics that follow from others.

A distribution says what it knows (`_log_prob`, `_variance`, ...); what is asked for and not known follows from what is: the density from
its logarithm or the other way round, the standard deviation from the variance, survival from the distribution function.  What neither is
known nor follows is a NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, Self

from ...api.names import control_dependencies, name_scope
from ...base.dtypes import DType, int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.tensor import ShapeLike, Tensor, TensorLike
from ...ops.array.basic import identity, reshape
from ...ops.array.join import concat
from ...ops.array.shape import shape
from ...ops.constant import is_tensor
from ...ops.math.arithmetic import square
from ...ops.math.functions import exp, log, log1p, sqrt
from ...ops.primitives.compare import equal
from ...ops.reduce.reductions import reduce_prod
from .divergence import cross_entropy, kl_divergence


@export(v1="distributions.ReparameterizationType")
class ReparameterizationType:
    """How draws depend on the parameters: whether gradients flow through them.

    >>> tf1.distributions.Normal(0.0, 1.0).reparameterization_type
    <Reparameterization Type: FULLY_REPARAMETERIZED>
    """

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameterization Type: {self._rep_type}>"

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = export(v1="distributions.FULLY_REPARAMETERIZED")(ReparameterizationType("FULLY_REPARAMETERIZED"))
NOT_REPARAMETERIZED = export(v1="distributions.NOT_REPARAMETERIZED")(ReparameterizationType("NOT_REPARAMETERIZED"))


def assert_first(assertions: list[Any], x: Any) -> Tensor:
    """x, once the assertions hold."""
    with control_dependencies(assertions):
        return identity(x)


def first_of(*ways: Callable[[], Any]) -> Any:
    """What the first way gives that is implemented; the error of the first where none is."""
    refused = None
    for way in ways:
        try:
            return way()
        except NotImplementedError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _not_known(name: str) -> Callable[..., Any]:
    """A method of distributions that do not know something."""

    def refuse(self: Distribution, *args: Any) -> NoReturn:
        raise NotImplementedError(f"{name} is not implemented: {type(self).__name__}")

    return refuse


@export(v1="distributions.Distribution")
class Distribution:
    """A distribution, or a batch of them: draws and densities have the shape of samples + batch + event.

    Args:
        dtype: of the draws.
        reparameterization_type: whether gradients flow through draws.
        validate_args: whether parameters and values are checked; what is wrong is an InvalidArgumentError.
        allow_nan_stats: whether a statistic that is not defined is NaN rather than an error.
        parameters: the arguments that it was made with, for `copy`.
        graph_parents: tensors that it depends on.
        name: the scope of what its methods make; the class's name by default.

    Raises:
        ValueError: a graph parent is not a tensor.

    >>> class Fixed(tf1.distributions.Distribution):
    ...     def _mean(self):
    ...         return tf1.constant(3.0)
    >>> fixed = Fixed(tf1.float32, tf1.distributions.NOT_REPARAMETERIZED, False, True)
    >>> float(fixed.mean())
    3.0
    """

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: list[Any] | None = None,
        name: str | None = None,
    ) -> None:
        for i, parent in enumerate(graph_parents or []):
            if not is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if not name or not name.endswith("/"):
            with name_scope(name or type(self).__name__) as scope:
                name = scope
        self._dtype, self._name = dtype, name
        self._reparameterization_type = reparameterization_type
        self._allow_nan_stats, self._validate_args = allow_nan_stats, validate_args
        self._parameters = parameters or {}
        self._graph_parents = list(graph_parents or [])

    # ---- what it is

    @property
    def name(self) -> str:
        """The scope of what its methods make."""
        return self._name

    @property
    def dtype(self) -> DType:
        """Of the draws."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that it was made with."""
        return {k: v for k, v in self._parameters.items() if not k.startswith("__") and k != "self"}

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether gradients flow through draws."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether a statistic that is not defined is NaN."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether parameters and values are checked."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Self:
        """Another of its class, with these arguments changed."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} {self.name!r} batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )

    def __str__(self) -> str:
        shapes = [f", {k}_shape={s}" for k, s in (("batch", self.batch_shape), ("event", self.event_shape)) if s.rank is not None]
        return f'tfp.distributions.{type(self).__name__}("{self.name}"{"".join(shapes)}, dtype={self.dtype.name})'

    # ---- shapes

    @classmethod
    def param_shapes(cls, sample_shape: object, name: str = "DistributionParamShapes") -> dict[str, Any]:
        """The shapes of the parameters whose draws have a shape, tensors by name."""
        with name_scope(name):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: object) -> dict[str, TensorShape]:
        """The same as TensorShapes; ValueError where the shape is not known."""
        known = TensorShape(sample_shape)
        if not known.is_fully_defined():
            raise ValueError("TensorShape sample_shape must be fully defined")
        return dict.fromkeys(cls.param_shapes(known.as_list()), known)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        raise NotImplementedError("_param_shapes not implemented")

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the batch of distributions, as far as it is known."""
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one draw of one of them, as far as it is known."""
        return TensorShape(self._event_shape())

    def _batch_shape(self) -> Any:
        return None

    def _event_shape(self) -> Any:
        return None

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The shape of the batch, an int32 vector."""
        return self._shape_tensor(self.batch_shape, self._batch_shape_tensor, name)

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Tensor:
        """The shape of one draw of one of them, an int32 vector."""
        return self._shape_tensor(self.event_shape, self._event_shape_tensor, name)

    def _shape_tensor(self, known: TensorShape, otherwise: Callable[[], Any], name: str) -> Tensor:
        with self._name_scope(name):
            return convert_to_tensor(known.as_list(), dtype=int32) if known.is_fully_defined() else otherwise()

    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether one draw is a single number."""
        return self._is_scalar(self.event_shape, self.event_shape_tensor, name)

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether it is one distribution."""
        return self._is_scalar(self.batch_shape, self.batch_shape_tensor, name)

    def _is_scalar(self, known: TensorShape, otherwise: Callable[[], Any], name: str) -> Tensor:
        with self._name_scope(name):
            return convert_to_tensor(known.rank == 0) if known.rank is not None else equal(shape(otherwise())[0], 0)

    # ---- draws

    def sample(self, sample_shape: ShapeLike = (), seed: TensorLike | None = None, name: str = "sample") -> Tensor:
        """Draws of the shape `sample_shape` (a number or several) + batch + event."""
        with self._name_scope(name):
            sizes = convert_to_tensor(sample_shape, dtype=int32, name="sample_shape")
            if sizes.shape.rank is not None and sizes.shape.rank > 1:
                raise ValueError("Input is neither scalar nor vector.")
            sizes = reshape(sizes, [-1])
            drawn = self._sample_n(reduce_prod(sizes), seed)
            found = reshape(drawn, concat([sizes, shape(drawn)[1:]], 0))
            known, count = self.batch_shape.concatenate(self.event_shape), sizes.shape.as_list()[0]
            if known.rank is not None and count is not None:
                found.set_shape([*[None] * count, *known.as_list()])
            return found

    # ---- densities

    def _at(self, value: TensorLike, name: str, *ways: Callable[[Any], Any]) -> Tensor:
        with self._name_scope(name):
            x = convert_to_tensor(value, dtype_hint=self.dtype, name="value")
            return first_of(*(lambda way=way: way(x) for way in ways))

    def log_prob(self, value: TensorLike, name: str = "log_prob") -> Tensor:
        """The logarithm of the density, or of the probability, at `value`."""
        return self._at(value, name, self._log_prob, lambda x: log(self._prob(x)))

    def prob(self, value: TensorLike, name: str = "prob") -> Tensor:
        """The density, or the probability, at `value`."""
        return self._at(value, name, self._prob, lambda x: exp(self._log_prob(x)))

    def log_cdf(self, value: TensorLike, name: str = "log_cdf") -> Tensor:
        """The logarithm of the probability of a draw of at most `value`."""
        return self._at(value, name, self._log_cdf, lambda x: log(self._cdf(x)))

    def cdf(self, value: TensorLike, name: str = "cdf") -> Tensor:
        """The probability of a draw of at most `value`."""
        return self._at(value, name, self._cdf, lambda x: exp(self._log_cdf(x)))

    def log_survival_function(self, value: TensorLike, name: str = "log_survival_function") -> Tensor:
        """The logarithm of the probability of a draw beyond `value`."""
        return self._at(value, name, self._log_survival_function, lambda x: log1p(-self.cdf(x)))

    def survival_function(self, value: TensorLike, name: str = "survival_function") -> Tensor:
        """The probability of a draw beyond `value`."""
        return self._at(value, name, self._survival_function, lambda x: 1.0 - self.cdf(x))

    def quantile(self, value: TensorLike, name: str = "quantile") -> Tensor:
        """Up to where draws have the probability `value`."""
        return self._at(value, name, self._quantile)

    # ---- statistics

    def _statistic(self, name: str, *ways: Callable[[], Any]) -> Tensor:
        with self._name_scope(name):
            return first_of(*ways)

    def entropy(self, name: str = "entropy") -> Tensor:
        """Shannon's entropy, in nats."""
        return self._statistic(name, self._entropy)

    def mean(self, name: str = "mean") -> Tensor:
        """The mean."""
        return self._statistic(name, self._mean)

    def mode(self, name: str = "mode") -> Tensor:
        """Where the density is greatest."""
        return self._statistic(name, self._mode)

    def variance(self, name: str = "variance") -> Tensor:
        """The variance, of each number of an event."""
        return self._statistic(name, self._variance, lambda: square(self._stddev()))

    def stddev(self, name: str = "stddev") -> Tensor:
        """The standard deviation, of each number of an event."""
        return self._statistic(name, self._stddev, lambda: sqrt(self._variance()))

    def covariance(self, name: str = "covariance") -> Tensor:
        """The covariance of the numbers of an event, for events that are vectors."""
        return self._statistic(name, self._covariance)

    def cross_entropy(self, other: Distribution, name: str = "cross_entropy") -> Tensor:
        """The mean of -log q of the other's density q: the entropy and the divergence."""
        with self._name_scope(name):
            return cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other: Distribution, name: str = "kl_divergence") -> Tensor:
        """Kullback and Leibler's divergence from this distribution to the other."""
        with self._name_scope(name):
            return kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    # ---- what a distribution knows

    _batch_shape_tensor = _not_known("batch_shape_tensor")
    _event_shape_tensor = _not_known("event_shape_tensor")
    _sample_n = _not_known("sample_n")
    _log_prob = _not_known("log_prob")
    _prob = _not_known("prob")
    _log_cdf = _not_known("log_cdf")
    _cdf = _not_known("cdf")
    _log_survival_function = _not_known("log_survival_function")
    _survival_function = _not_known("survival_function")
    _quantile = _not_known("quantile")
    _entropy = _not_known("entropy")
    _mean = _not_known("mean")
    _mode = _not_known("mode")
    _variance = _not_known("variance")
    _stddev = _not_known("stddev")
    _covariance = _not_known("covariance")

    @contextmanager
    def _name_scope(self, name: str | None = None) -> Iterator[Any]:
        with name_scope(self.name), name_scope(name) as scope:
            yield scope
