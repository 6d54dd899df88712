"""The layers of `tf.layers` as objects, which keep their variables: `tf.layers.Dense(3)` called twice has one kernel."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...api.default import get_default_graph
from ...api.names import GraphKeys, placeholder
from ...api.variable import Variable
from ...api.variable_scope import VariableScope, get_variable, open_store, variable_scope
from ...base import nest
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.graph import Graph
from ...ir.node import Node
from ...ir.plan import needed_nodes
from ...ir.tensor import DTypeLike, ShapeLike, Tensor, TensorLike
from . import convolutions, functions
from .input_spec import InputSpec, check_inputs


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@export(v1="layers.Layer")
class Layer:
    """A layer: a subclass makes variables in `build(input_shape)` by `add_variable`, and says in `call` what it does with inputs.

    >>> class Scale(tf1.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_variable("factor", [], initializer=tf1.ones_initializer())
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> with tf1.Graph().as_default():
    ...     layer = Scale()
    ...     print(layer(tf1.zeros([2])).shape, [v.name for v in layer.variables])
    (2,) ['scale/factor:0']
    """

    #: As TensorFlow's layers say it: calls are the same each time, and nothing but variables is kept between them.
    dynamic = stateful = False

    def __init__(self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        self._reuse = kwargs.pop("_reuse", None)
        self._wanted_scope, self._given_name = kwargs.pop("_scope", None), name
        if kwargs:
            raise TypeError(f"{type(self).__name__} got unexpected arguments {sorted(kwargs)}")
        self.trainable, self.dtype, self.built = trainable, dtype, False
        self._input_spec: InputSpec | Sequence[InputSpec] | None = None
        self._scope: VariableScope | None = None
        self._kept: dict[str, Any] = {}
        self._variables: list[Any] = []
        self._called = False
        #: What calls in graphs have made: losses of regularizers, those that `add_loss` was given, and operations that update averages.
        self._regularizations: list[Tensor] = []
        self._added_losses: list[Tensor] = []
        self._updates: list[Node] = []
        #: Those of them that depend on what the layer was called with.
        self._conditional: set[Any] = set()

    @property
    def name(self) -> str:
        """The name that was given, else that of the layer's scope."""
        return self._base_name if self._given_name or self._scope is None else self._scope.name

    @property
    def _base_name(self) -> str:
        """What the scope is named after; a second layer of this name has a number behind it."""
        return str(self._wanted_scope or self._given_name or _snake(type(self).__name__))

    @property
    def input_spec(self) -> Any:
        """An `InputSpec` that every call's inputs must fit, a list of one for each, or None."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        for spec in nest.flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        self._input_spec = value

    def build(self, input_shape: Any) -> None:
        """Make the variables; called once."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Tensor:
        """What the layer does with inputs."""
        raise NotImplementedError(f"{type(self).__name__} must have a call")

    def add_variable(
        self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None, initializer: Callable[..., Any] | TensorLike | None = None,
        regularizer: Callable[[Any], Any] | None = None, trainable: bool = True, constraint: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> Variable:  # fmt: skip
        """A variable of the layer."""
        kind, trains = dtype or self.dtype or "float32", trainable and self.trainable
        made = get_variable(name, shape, kind, initializer, regularizer, trains, constraint=constraint)
        self._variables.append(made)
        return made

    add_weight = add_variable

    def __call__(self, inputs: TensorLike, *args: Any, **kwargs: Any) -> Tensor:
        if self._scope is None:
            with variable_scope(self._wanted_scope, default_name=self._base_name, reuse=self._reuse) as entered:
                self._scope = entered
        given = [convert_to_tensor(x) for x in nest.flatten(inputs)] if self._input_spec is not None else []
        check_inputs(self._input_spec, given, self.name)
        eager = executing_eagerly()
        with open_store(self._kept) if eager else self._collect(inputs):
            found = self._apply(inputs, *args, **kwargs)
        if not self._called and not self._variables:
            self._variables = list(self._kept.values()) if eager else self._scope.global_variables()
        self._called = True
        return found

    @contextmanager
    def _collect(self, inputs: Any) -> Iterator[None]:
        """A block that takes note of what it adds to the graph's collections of losses and updates."""
        graph = get_default_graph()
        kept: dict[str, list[Any]] = {GraphKeys.REGULARIZATION_LOSSES: self._regularizations, GraphKeys.UPDATE_OPS: self._updates}
        before = {key: len(graph.get_collection(key)) for key in kept}
        yield
        for key, found in kept.items():
            new = [one for one in graph.get_collection(key)[before[key] :] if not any(one is added for added in self._added_losses)]
            found.extend(new)
            self._conditional.update(_depending(new, inputs))

    @property
    def losses(self) -> list[Tensor]:
        """The losses that `add_loss` was given in graphs, and those of regularizers."""
        return [*self._added_losses, *self._regularizations]

    @property
    def updates(self) -> list[Node]:
        """The operations that update averages, as calls in graphs have made them; none of a layer that is not trainable."""
        return list(self._updates) if self.trainable else []

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses to the layer's and to the graph's `REGULARIZATION_LOSSES`.

        losses: a tensor, or a structure of them.  inputs: what they depend on, None where that is not the layer's inputs.
        """
        for loss in nest.flatten(losses):
            self._added_losses.append(loss)
            get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
            if inputs is not None:
                self._conditional.add(loss)

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add operations that update something to the graph's `UPDATE_OPS`, and while the layer is called to the layer's.

        updates: operations, or tensors that they give.  inputs: not needed.
        """
        for update in nest.flatten(updates):
            get_default_graph().add_to_collection(GraphKeys.UPDATE_OPS, update if isinstance(update, Node) else update.op)

    def get_losses_for(self, inputs: Any) -> list[Tensor]:
        """The losses that depend on `inputs`; for None those that do not depend on what the layer was called with."""
        return self._choose(self.losses, inputs)

    def get_updates_for(self, inputs: Any) -> list[Node]:
        """The updates that depend on `inputs`; for None those that do not depend on what the layer was called with."""
        return self._choose(self.updates, inputs)

    def _choose(self, known: list[Any], inputs: Any) -> list[Any]:
        if inputs is None:
            return [one for one in known if one not in self._conditional]
        return _depending([one for one in known if one in self._conditional], inputs)

    def _apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        with functions.enter_layer(self._scope, "", self._reuse):
            if not self.built:
                first = nest.map_structure(convert_to_tensor, inputs)
                self.dtype = self.dtype or nest.flatten(first)[0].dtype.base_dtype
                self.build(nest.map_structure(lambda x: x.shape, first))
                self.built = True
            return self.call(inputs, *args, **kwargs)

    def apply(self, inputs: TensorLike, *args: Any, **kwargs: Any) -> Tensor:
        """The same as calling the layer."""
        return self(inputs, *args, **kwargs)

    @property
    def variables(self) -> list[Any]:
        """The layer's variables, once it has been called."""
        return list(self._variables)

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that optimizers change; none of a layer that is not trainable."""
        return [v for v in self._variables if v.trainable and self.trainable]

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The others."""
        return [v for v in self._variables if not (v.trainable and self.trainable)]

    non_trainable_weights = non_trainable_variables

    @property
    def scope_name(self) -> str:
        """The name of the layer's scope; a ValueError before it is called."""
        if self._scope is None:
            raise ValueError(f'No name available for layer scope because the layer "{self.name}" has not been used yet.')
        return self._scope.name

    def count_params(self) -> int:
        """How many numbers its variables hold; a ValueError before it is called."""
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it manually via: "
                f"`{self.name}.build(batch_input_shape)`."
            )
        return sum(v.shape.num_elements() for v in self._variables)


def _depending(results: Sequence[Any], inputs: Any) -> list[Any]:
    """Those of some tensors and operations of a graph that are computed from `inputs`."""
    tensors: list[Any] = [convert_to_tensor(x) for x in nest.flatten(inputs)]
    given = {t.node for t in tensors}
    return [one for one in results if given.intersection(needed_nodes([one], set()))]


class _OfFunction(Layer):
    """A layer that is one of the functions, with its arguments as attributes."""

    function: Callable[..., Any]
    #: Of its inputs: how many dimensions, and whether they must always have as many channels.
    _dimensions: Mapping[str, Any] = {}
    _fixes_channels = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        own = {key: kwargs.pop(key) for key in ("name", "dtype", "_reuse", "_scope") if key in kwargs}
        super().__init__(trainable=kwargs.get("trainable", True), **own)
        function = type(self).function
        bound = inspect.signature(functools.partial(function, None)).bind(*args, **kwargs)
        bound.apply_defaults()
        self._settings = {key: value for key, value in bound.arguments.items() if key not in ("name", "reuse", "training")}
        for key, value in self._settings.items():
            setattr(self, key, value)
        if self._dimensions:
            self.input_spec = InputSpec(**self._dimensions)

    def _apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        reuse = {"reuse": True if self._called else self._reuse} if "reuse" in inspect.signature(type(self).function).parameters else {}
        if not self.built:
            self.dtype, self.built = self.dtype or convert_to_tensor(inputs).dtype.base_dtype.name, True
        if self._fixes_channels and not self._called:
            axis = 1 if self._settings.get("data_format") == "channels_first" else -1
            self.input_spec = InputSpec(**self._dimensions, axes={axis: convert_to_tensor(inputs).shape[axis]})
        return type(self).function(inputs, *args, **self._settings, **kwargs, **reuse, name=self._scope)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """The shape of the results for inputs of a shape; a ValueError where the layer refuses such inputs."""
        with Graph().as_default():
            shape: TensorShape = type(self)(**self._settings)(placeholder(self.dtype or "float32", input_shape)).shape
            return shape

    @property
    def kernel(self) -> Variable:
        """The variable "kernel"."""
        return self._find_variable("kernel")

    @property
    def bias(self) -> Variable:
        """The variable "bias"; None where there is none."""
        return self._find_variable("bias")

    @property
    def gamma(self) -> Variable:
        """The variable "gamma"; None where there is none."""
        return self._find_variable("gamma")

    @property
    def beta(self) -> Variable:
        """The variable "beta"; None where there is none."""
        return self._find_variable("beta")

    @property
    def moving_mean(self) -> Variable:
        """The variable "moving_mean"; None where there is none."""
        return self._find_variable("moving_mean")

    @property
    def moving_variance(self) -> Variable:
        """The variable "moving_variance"; None where there is none."""
        return self._find_variable("moving_variance")

    def _find_variable(self, name: str) -> Any:
        return next((v for v in self._variables if v.name.rpartition("/")[2] == f"{name}:0"), None)


@export(v1="layers.Dense")
class Dense(_OfFunction):
    """`tf.layers.dense` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Dense(3)(tf1.zeros([2, 4])).shape
    TensorShape([2, 3])
    """

    function = staticmethod(functions.dense)
    _dimensions: Mapping[str, Any] = {"min_ndim": 2}
    _fixes_channels = True


@export(v1="layers.Flatten")
class Flatten(_OfFunction):
    """`tf.layers.flatten` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Flatten()(tf1.zeros([2, 4, 3])).shape
    TensorShape([2, 12])
    """

    function = staticmethod(functions.flatten)
    _dimensions: Mapping[str, Any] = {"min_ndim": 1}


@export(v1="layers.Dropout")
class Dropout(_OfFunction):
    """`tf.layers.dropout` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Dropout(0.5)(tf1.zeros([2, 4])).shape
    TensorShape([2, 4])
    """

    function = staticmethod(functions.dropout)


@export(v1="layers.BatchNormalization")
class BatchNormalization(_OfFunction):
    """`tf.layers.batch_normalization` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.BatchNormalization()(tf1.zeros([2, 4])).shape
    TensorShape([2, 4])
    """

    function = staticmethod(functions.batch_normalization)


@export(v1="layers.Conv1D")
class Conv1D(_OfFunction):
    """`tf.layers.conv1d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Conv1D(3, 2)(tf1.zeros([2, 4, 5])).shape
    TensorShape([2, 3, 3])
    """

    function = staticmethod(convolutions.conv1d)
    _dimensions: Mapping[str, Any] = {"min_ndim": 3}
    _fixes_channels = True


@export(v1="layers.Conv2D")
class Conv2D(_OfFunction):
    """`tf.layers.conv2d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Conv2D(3, 2)(tf1.zeros([2, 4, 4, 5])).shape
    TensorShape([2, 3, 3, 3])
    """

    function = staticmethod(convolutions.conv2d)
    _dimensions: Mapping[str, Any] = {"min_ndim": 4}
    _fixes_channels = True


@export(v1="layers.Conv2DTranspose")
class Conv2DTranspose(_OfFunction):
    """`tf.layers.conv2d_transpose` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Conv2DTranspose(3, 2, strides=2)(tf1.zeros([2, 4, 4, 5])).shape
    TensorShape([2, 8, 8, 3])
    """

    function = staticmethod(convolutions.conv2d_transpose)
    _dimensions: Mapping[str, Any] = {"min_ndim": 4}
    _fixes_channels = True


@export(v1="layers.Conv3D")
class Conv3D(_OfFunction):
    """`tf.layers.conv3d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.Conv3D(3, 2)(tf1.zeros([2, 4, 4, 4, 5])).shape
    TensorShape([2, 3, 3, 3, 3])
    """

    function = staticmethod(convolutions.conv3d)
    _dimensions: Mapping[str, Any] = {"min_ndim": 5}
    _fixes_channels = True


@export(v1="layers.SeparableConv2D")
class SeparableConv2D(_OfFunction):
    """`tf.layers.separable_conv2d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.SeparableConv2D(3, 2)(tf1.zeros([2, 4, 4, 5])).shape
    TensorShape([2, 3, 3, 3])
    """

    function = staticmethod(convolutions.separable_conv2d)
    _dimensions: Mapping[str, Any] = {"min_ndim": 4}
    _fixes_channels = True


@export(v1="layers.MaxPooling1D")
class MaxPooling1D(_OfFunction):
    """`tf.layers.max_pooling1d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.MaxPooling1D(2, 2)(tf1.zeros([2, 4, 5])).shape
    TensorShape([2, 2, 5])
    """

    function = staticmethod(convolutions.max_pooling1d)
    _dimensions: Mapping[str, Any] = {"ndim": 3}


@export(v1="layers.MaxPooling2D")
class MaxPooling2D(_OfFunction):
    """`tf.layers.max_pooling2d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.MaxPooling2D(2, 2)(tf1.zeros([2, 4, 4, 5])).shape
    TensorShape([2, 2, 2, 5])
    """

    function = staticmethod(convolutions.max_pooling2d)
    _dimensions: Mapping[str, Any] = {"ndim": 4}


@export(v1="layers.AveragePooling1D")
class AveragePooling1D(_OfFunction):
    """`tf.layers.average_pooling1d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.AveragePooling1D(2, 2)(tf1.zeros([2, 4, 5])).shape
    TensorShape([2, 2, 5])
    """

    function = staticmethod(convolutions.average_pooling1d)
    _dimensions: Mapping[str, Any] = {"ndim": 3}


@export(v1="layers.AveragePooling2D")
class AveragePooling2D(_OfFunction):
    """`tf.layers.average_pooling2d` as an object.

    >>> with tf1.Graph().as_default():
    ...     tf1.layers.AveragePooling2D(2, 2)(tf1.zeros([2, 4, 4, 5])).shape
    TensorShape([2, 2, 2, 5])
    """

    function = staticmethod(convolutions.average_pooling2d)
    _dimensions: Mapping[str, Any] = {"ndim": 4}
