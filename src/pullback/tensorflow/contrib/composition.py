"""`repeat`, `stack` and `optimize_loss` of `tf.contrib.layers`, and `slim.learning.create_train_op`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ...api.default import get_default_graph
from ...api.names import GraphKeys, control_dependencies
from ...api.variable_scope import variable_scope
from ...base.export import export
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.array.basic import identity
from ...ops.effects.checks import check_numerics as require_finite
from ...ops.nn.clip import clip_by_global_norm, clip_by_norm
from ...train import optimizers
from ...train.global_step import get_global_step, get_or_create_global_step


def _name_of(layer: Callable[..., Any], otherwise: str) -> str:
    return str(getattr(layer, "__name__", None) or getattr(getattr(layer, "func", None), "__name__", None) or otherwise)


@export(v1=("contrib.layers.repeat", "contrib.slim.repeat"))
def repeat(inputs: TensorLike, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
    """The same layer, with variables of its own, `repetitions` times one after another: scopes "conv1/conv1_1", "conv1/conv1_2", ...

    >>> slim = tf1.contrib.slim
    >>> with tf1.Graph().as_default():
    ...     y = slim.repeat(tf1.zeros([1, 3]), 2, slim.fully_connected, 4, scope="fc")
    ...     [v.name for v in tf1.trainable_variables()][::2]
    ['fc/fc_1/weights:0', 'fc/fc_2/weights:0']
    """
    return _apply_in_turn(inputs, layer, [list(args)] * repetitions, "Repeat", "repeat", kwargs)


@export(v1=("contrib.layers.stack", "contrib.slim.stack"))
def stack(inputs: TensorLike, layer: Callable[..., Any], stack_args: Sequence[Any], **kwargs: Any) -> Tensor:
    """Layers of one kind one after another, each with arguments of its own.

    >>> slim = tf1.contrib.slim
    >>> with tf1.Graph().as_default():
    ...     y = slim.stack(tf1.zeros([1, 3]), slim.fully_connected, [8, 4], scope="fc")
    ...     y.shape, tf1.trainable_variables()[0].name
    (TensorShape([1, 4]), 'fc/fc_1/weights:0')
    """
    each = [list(args) if isinstance(args, (list, tuple)) else [args] for args in stack_args]
    return _apply_in_turn(inputs, layer, each, "Stack", "stack", kwargs)


def _apply_in_turn(inputs: Any, layer: Callable[..., Any], each: list[list[Any]], default: str, plain: str, kwargs: Any) -> Any:
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, default_name=default):
        name = scope or _name_of(layer, plain)
        outputs = inputs
        for number, args in enumerate(each, 1):
            outputs = layer(outputs, *args, **kwargs, scope=f"{name}_{number}")
        return outputs


_OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "Adagrad": optimizers.AdagradOptimizer,
    "Adam": optimizers.AdamOptimizer,
    "Ftrl": optimizers.FtrlOptimizer,
    "Momentum": lambda rate: optimizers.MomentumOptimizer(rate, 0.9),
    "RMSProp": optimizers.RMSPropOptimizer,
    "SGD": optimizers.GradientDescentOptimizer,
}


@export(v1="contrib.layers.optimize_loss")
def optimize_loss(
    loss: TensorLike,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: Any = None,
    gradient_multipliers: Any = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Any = None,
    variables: Any = None,
    name: str | None = None,
    summaries: Any = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Tensor:
    """An operation that takes one step of an optimizer, and gives the loss.

    Args:
        global_step: counted up; that of the graph, which may have none, when None.
        optimizer: "SGD", "Adam", "Adagrad", "Ftrl", "Momentum" or "RMSProp"; a class, or a function of the learning rate; or an optimizer.
        gradient_multipliers: factors by variable.
        clip_gradients: a norm that all gradients together keep to, or a function of the pairs of gradients and variables.
        learning_rate_decay_fn: of the learning rate and the step.
        update_ops: run before; those of `GraphKeys.UPDATE_OPS` when None.
        variables: the trainable ones when None.
        summaries: taken; write `tf.summary.scalar` for those you want.

    Raises:
        NotImplementedError: noise is asked for.
        ValueError: there is no such optimizer.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = tf1.get_variable("w", [], initializer=tf1.ones_initializer())
    ...     step = tf1.contrib.layers.optimize_loss(w * w, None, learning_rate=0.25, optimizer="SGD")
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(step).item(), sess.run(w).item()
    (1.0, 0.5)
    """
    if gradient_noise_scale is not None:
        raise NotImplementedError("optimize_loss: gradient_noise_scale is not in Pullback")
    with variable_scope(name, default_name="OptimizeLoss"):
        step = get_global_step() if global_step is None else global_step
        loss = _wait_for_updates(loss, update_ops)
        rate = learning_rate if learning_rate_decay_fn is None else learning_rate_decay_fn(learning_rate, step)
        if isinstance(optimizer, str):
            if optimizer not in _OPTIMIZERS:
                raise ValueError(f"Optimizer name should be one of [{', '.join(sorted(_OPTIMIZERS))}], you provided {optimizer}.")
            optimizer = _OPTIMIZERS[optimizer]
        chosen = optimizer if hasattr(optimizer, "compute_gradients") and not isinstance(optimizer, type) else None
        if chosen is None:
            chosen = optimizer() if rate is None else optimizer(rate)
        pairs = chosen.compute_gradients(loss, variables)
        if gradient_multipliers:
            pairs = multiply_gradients(pairs, gradient_multipliers)
        if callable(clip_gradients):
            pairs = clip_gradients(pairs)
        elif clip_gradients is not None:
            clipped, _ = clip_by_global_norm([g for g, _ in pairs], clip_gradients)
            pairs = list(zip(clipped, [v for _, v in pairs], strict=True))
        train = chosen.apply_gradients(pairs, global_step=step if increment_global_step else None, name="train")
        with control_dependencies([train]):
            return identity(loss)


def _wait_for_updates(loss: Any, update_ops: Any) -> Any:
    """The loss, computed once the updates have run; those of the graph when None."""
    with control_dependencies(list(get_default_graph().get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops)):
        return identity(loss)


def multiply_gradients(grads_and_vars: Iterable[tuple[Any, Any]], gradient_multipliers: Mapping[Any, Any]) -> list[Any]:
    """Gradients times the factors that are given by variable or by its name."""
    found = []
    for gradient, variable in grads_and_vars:
        factors = [f for key, f in gradient_multipliers.items() if key is variable or key in (variable.op.name, variable.name)]
        found.append((gradient if gradient is None or not factors else gradient * factors[0], variable))
    return found


@export(v1=("contrib.training.create_train_op", "contrib.slim.learning.create_train_op"))
def create_train_op(
    total_loss: Any,
    optimizer: Any,
    global_step: IntLike | None = 0,
    update_ops: Any = None,
    variables_to_train: Any = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = 1,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Any = None,
    check_numerics: bool = True,
) -> Tensor:
    """An operation that takes one step of an optimizer, moves the averages of batch norms, and gives the loss.

    Args:
        global_step: counted up; that of the graph, made when there is none, when it is left out; None for none.
        update_ops: run before; those of `GraphKeys.UPDATE_OPS` when None.
        clip_gradient_norm: the norm that each gradient keeps to; 0 for any.
        check_numerics: an InvalidArgumentError where the loss is infinite or NaN.
        summarize_gradients, colocate_gradients_with_ops: taken; write `tf.summary.histogram` for those you want.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     w = tf1.get_variable("w", [], initializer=tf1.ones_initializer())
    ...     step = tf1.contrib.slim.learning.create_train_op(w * w, tf1.train.GradientDescentOptimizer(0.25))
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(step).item(), sess.run(w).item(), sess.run(tf1.train.get_global_step())
    (1.0, 0.5, np.int64(1))
    """
    step = get_or_create_global_step() if isinstance(global_step, int) else global_step
    loss = _wait_for_updates(total_loss, update_ops)
    pairs = optimizer.compute_gradients(loss, variables_to_train, gate_gradients, aggregation_method)
    if gradient_multipliers:
        pairs = multiply_gradients(pairs, gradient_multipliers)
    if clip_gradient_norm > 0:
        pairs = [(g if g is None else clip_by_norm(g, clip_gradient_norm), v) for g, v in pairs]
    applied = optimizer.apply_gradients(pairs, global_step=step)
    with control_dependencies([applied]):
        train = require_finite(loss, "LossTensor is inf or nan") if check_numerics else loss
        train = identity(train, name="train_op")
    get_default_graph().add_to_collection(GraphKeys.TRAIN_OP, train)
    return train
