"""One step of each optimizer, as an op that reads and replaces a variable and its slots.

A rule is a function from the old arrays (variable first, then its slots), the gradient and the hyper-parameters to the new
arrays.  It is written once: the same function serves TensorFlow 1's and Keras' optimizers, a dense gradient, and the rows of a
sparse one, where repeated rows are summed first.  A rule changes nothing in place, so a step that fails half-way leaves the
variable and its slots as they were; an eager step of large variables is one native loop, once nothing is left that could fail: where
the arrays are, or, while an optimizer keeps the old ones in case a later variable fails, from these to new ones.

A sparse step touches only the rows it is given.  Where that is not the dense step of a gradient with zero rows, `every_row`
asks for the latter: Adam in TensorFlow 1, and nearly all of Keras' optimizers, let the averages of untouched rows decay.
Formulas: the papers of each method, in the forms of TensorFlow's kernels; where those take a decay such as beta2 and work with
1 - beta2, a rule takes the latter as a `gain`, which the caller knows better than one rounded to the variable's dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import FLOAT_OR_COMPLEX, INDEX
from ..base.errors import InvalidArgumentError
from ..ir.apply import Site
from ..ir.op import Op, define, keyword_parameters, set_signature
from ..ir.tensor import TensorType
from ..kernels import blocked
from ..kernels.backend import ENGINE
from .batching import write_once
from .state import entry_loops
from .state.locks import lock_all, run_alone
from .state.variables import Storage, change_rows_natively, is_own, make_own

if TYPE_CHECKING:
    from ..engine.lowering.builder import Builder
    from ..engine.lowering.index_expr import IndexExpr

A = Any  # an array of the variable's dtype, or a scalar of it
Step = Callable[..., tuple[A, ...]]
Infer = Callable[..., TensorType]


# ---- the rules


def _gradient_descent(var: A, alpha: A, delta: A) -> tuple[A, ...]:
    return (var - alpha * delta,)


def _momentum(var: A, accum: A, lr: A, grad: A, momentum: A, *, use_nesterov: bool = False) -> tuple[A, ...]:
    accum = momentum * accum + grad
    return var - (lr * grad + lr * momentum * accum if use_nesterov else lr * accum), accum


def _keras_momentum(var: A, accum: A, lr: A, grad: A, momentum: A, *, use_nesterov: bool = False) -> tuple[A, ...]:
    """The same with the rate inside the average, which differs once the rate changes."""
    accum = momentum * accum - lr * grad
    return var + (momentum * accum - lr * grad if use_nesterov else accum), accum


def _adam_rate(beta1_power: A, beta2_power: A, lr: A) -> A:
    return lr * np.sqrt(1 - beta2_power) / (1 - beta1_power)


def _adam(var: A, m: A, v: A, beta1_power: A, beta2_power: A, lr: A, gain1: A, gain2: A, epsilon: A, grad: A) -> tuple[A, ...]:
    m = m + gain1 * (grad - m)
    v = v + gain2 * (grad * grad - v)
    return var - _adam_rate(beta1_power, beta2_power, lr) * m / (np.sqrt(v) + epsilon), m, v


def _adam_amsgrad(
    var: A, m: A, v: A, vhat: A, beta1_power: A, beta2_power: A, lr: A, gain1: A, gain2: A, epsilon: A, grad: A
) -> tuple[A, ...]:
    m = m + gain1 * (grad - m)
    v = v + gain2 * (grad * grad - v)
    vhat = np.maximum(vhat, v)
    return var - _adam_rate(beta1_power, beta2_power, lr) * m / (np.sqrt(vhat) + epsilon), m, v, vhat


def _rms_prop(var: A, ms: A, mom: A, lr: A, gain: A, momentum: A, epsilon: A, grad: A) -> tuple[A, ...]:
    ms = ms + gain * (grad * grad - ms)
    mom = momentum * mom + lr * grad / np.sqrt(ms + epsilon)
    return var - mom, ms, mom


def _centered_rms_prop(var: A, mg: A, ms: A, mom: A, lr: A, gain: A, momentum: A, epsilon: A, grad: A) -> tuple[A, ...]:
    ms = ms + gain * (grad * grad - ms)
    mg = mg + gain * (grad - mg)
    mom = momentum * mom + lr * grad / np.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


def _adagrad(var: A, accum: A, lr: A, epsilon: A, grad: A) -> tuple[A, ...]:
    accum = accum + grad * grad
    return var - lr * grad / np.sqrt(accum + epsilon), accum


def _adagrad_2(var: A, accum: A, lr: A, epsilon: A, grad: A) -> tuple[A, ...]:
    accum = accum + grad * grad
    return var - lr * grad / (np.sqrt(accum) + epsilon), accum


def _adadelta(var: A, accum: A, accum_update: A, lr: A, rho: A, gain: A, epsilon: A, grad: A) -> tuple[A, ...]:
    accum = rho * accum + gain * grad * grad
    update = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * grad
    return var - lr * update, accum, rho * accum_update + gain * update * update


def _ftrl(
    var: A, accum: A, linear: A, grad: A, lr: A, l1: A, l2: A, l2_shrinkage: A, lr_power: A, *, multiply_linear_by_lr: bool = False
) -> tuple[A, ...]:
    """multiply_linear_by_lr: whether `linear` is kept times the rate."""
    raised = np.sqrt if _is_half(lr_power) else lambda x: np.power(x, -lr_power)
    total = accum + grad * grad
    rate, old_rate, slope = raised(total), raised(accum), grad + 2 * l2_shrinkage * var
    if multiply_linear_by_lr:
        slope, l1, l2 = lr * slope, lr * l1, lr * l2
    else:
        rate, old_rate = rate / lr, old_rate / lr
    linear = linear + slope - (rate - old_rate) * var
    return (np.clip(linear, -l1, l1) - linear) / (rate + 2 * l2), total, linear


def _ftrl_of_roots(
    var: A, accum: A, linear: A, grad: A, lr: A, l1: A, l2: A, l2_shrinkage: A, lr_power: A, *, multiply_linear_by_lr: bool = False
) -> tuple[A, ...]:
    root = np.asarray(-0.5)
    return _ftrl(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, root, multiply_linear_by_lr=multiply_linear_by_lr)


def _is_half(lr_power: A) -> bool:
    """Whether FTRL's power is known to be -0.5, the usual one, as an array or in a program."""
    number = lr_power if isinstance(lr_power, (np.ndarray, np.generic)) else getattr(lr_power, "value", None)
    return number is not None and np.ndim(number) == 0 and bool(number == -0.5)


def _shrink(x: A, threshold: A) -> A:
    """The proximal step of an L1 penalty: every number nearer to 0 by `threshold`, and no further than 0."""
    return x - np.maximum(np.minimum(x, threshold), -threshold)


def _proximal_descent(var: A, alpha: A, l1: A, l2: A, delta: A) -> tuple[A, ...]:
    return (_shrink(var - alpha * delta, alpha * l1) / (1 + alpha * l2),)


def _proximal_adagrad(var: A, accum: A, lr: A, l1: A, l2: A, grad: A) -> tuple[A, ...]:
    accum = accum + grad * grad
    rate = lr / np.sqrt(accum)
    return _shrink(var - rate * grad, rate * l1) / (1 + rate * l2), accum


def _adagrad_da(var: A, total: A, squares: A, grad: A, lr: A, l1: A, l2: A, step: A) -> tuple[A, ...]:
    total, squares = total + grad, squares + grad * grad
    return -lr * _shrink(total, l1 * step) / (l2 * step * lr + np.sqrt(squares)), total, squares


# ---- from a rule to its ops


def _kernel(count: int, at: int, step: Step, usual: Step | None = None) -> Callable[..., np.ndarray]:
    """The dense step: `count` variables come first among the inputs, the gradient is the input `at`.

    usual: a step for native code to take where the last number is -0.5.
    """

    def kernel(*inputs: Any, site: Site, **attrs: Any) -> np.ndarray:
        storages, grad = inputs[:count], inputs[at]
        old = _read(storages, grad)
        if grad.shape != old[0].shape:
            shapes = f"{list(old[0].shape)}, its gradient {list(grad.shape)}"
            raise InvalidArgumentError(None, None, f"variable {storages[0].name} has shape {shapes}: they must be equal")
        values = [np.asarray(value) for value in inputs[count:]]
        if site.run is None and _is_large(old, values):
            del old
            new = tuple(storage.read() if is_own(storage) else np.empty_like(storage.read()) for storage in storages)
            old = [storage.read() for storage in storages]
            flat = [x.reshape(-1) if x.ndim else x for x in (*old, *values)]
            rule = usual if usual is not None and _is_half(values[-1]) else step
            if ENGINE.run_update(rule, flat, attrs, [x.reshape(-1) for x in new]):
                return _write(site, storages, new)
        return _write(site, storages, step(*old, *values, **attrs))

    return kernel


def _is_large(old: list[np.ndarray], values: list[np.ndarray]) -> bool:
    """Whether native code may take a step where the arrays are: many numbers, all arrays alike but for single numbers."""
    shape = old[0].shape
    return old[0].size >= blocked.SHARED and all((x.shape == shape and x.flags.c_contiguous) or not x.ndim for x in (*old, *values))


def _lower(count: int, at: int, step: Step) -> Callable[..., tuple[Any, ...]]:
    """The dense step for the engine: the rule applied to forms."""

    def lower(builder: Any, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
        if any(variable.dims != inputs[at].dims or variable.dtype != inputs[at].dtype for variable in inputs[:count]):
            raise builder.Unsupported("the gradient is not of the variable's type")
        return step(*inputs, **attrs)

    return lower


def _sparse_kernel(count: int, at: int, step: Step) -> Callable[..., np.ndarray]:
    def kernel(*inputs: Any, site: Site, every_row: bool, in_turn: bool, **attrs: Any) -> np.ndarray:
        *given, indices = inputs
        storages, grad = given[:count], given[at]
        old = _read(storages, grad)
        if in_turn:
            _check_rows(storages[0], old[0].shape, indices, grad)
            rows, turns = _turns(indices)
            parts, values = [array[rows] for array in old], given[count:]
            del old
            for which, places in turns:
                values[at - count] = grad[which]
                for part, changed in zip(parts, step(*(part[places] for part in parts), *values, **attrs), strict=True):
                    part[places] = changed
            return _write_rows(site, storages, rows, parts)
        rows, summed = _sum_rows(storages[0], old[0].shape, indices, grad)
        if every_row:
            given[at] = np.zeros(old[0].shape, grad.dtype)
            given[at][rows] = summed
            return _write(site, storages, step(*old, *given[count:], **attrs))
        given[at] = summed
        new = step(*(array[rows] for array in old), *given[count:], **attrs)
        del old
        return _write_rows(site, storages, rows, new)

    return kernel


def _turns(indices: np.ndarray) -> tuple[np.ndarray, list[tuple[np.ndarray, Any]]]:
    """The rows that `indices` names, each once, and turns: which gradients, and for which of these rows, each of them once in a turn."""
    order = blocked.order(indices)
    rising = indices[order]
    new = np.concatenate(([True], rising[1:] != rising[:-1]))[: len(rising)]
    turns: list[tuple[np.ndarray, Any]] = [(order[new], slice(None))]
    place, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    again = np.flatnonzero(~new)
    turn = again - starts[place[again]]
    for now in range(1, int(turn.max(initial=0)) + 1):
        mine = again[turn == now]
        turns.append((order[mine], place[mine]))
    return rising[new], turns


def _write_rows(site: Site, storages: Any, rows: np.ndarray, new: Iterable[np.ndarray]) -> np.ndarray:
    arrays = []
    for storage, part in zip(storages, new, strict=True):
        arrays.append(_changeable(storage, site))
        arrays[-1][rows] = part
        site.write(storage, arrays[-1])
    return arrays[0]


def _sparse_descent(
    var: Storage, alpha: Any, delta: np.ndarray, indices: np.ndarray, *, site: Site, every_row: bool, in_turn: bool
) -> np.ndarray:
    """Rows that come several times are subtracted one after another."""
    (old,) = _read((var,), delta)
    _check_fit(var, old.shape, indices, delta)
    del old
    array, change = _changeable(var, site), np.asarray(alpha * delta, delta.dtype)
    if not change_rows_natively(entry_loops.SUB, array, indices, change):
        _check_range(var, len(array), indices)
        blocked.change(np.subtract, array, indices, change)
    site.write(var, array)
    return array


def _changeable(storage: Storage, site: Site) -> np.ndarray:
    """A variable's array to change: a run may have to take it back."""
    return make_own(storage) if site.run is None else storage.read().copy()


def _read(storages: Any, grad: np.ndarray) -> list[np.ndarray]:
    for storage in storages:
        if storage.dtype.numpy_dtype != grad.dtype:
            raise InvalidArgumentError(None, None, f"variable {storage.name} is {storage.dtype.name}, its gradient {grad.dtype}")
    return [storage.read() for storage in storages]


def _write(site: Site, storages: Any, new: tuple[A, ...]) -> np.ndarray:
    arrays = [np.asarray(array, storage.dtype.numpy_dtype) for storage, array in zip(storages, new, strict=True)]
    for storage, array in zip(storages, arrays, strict=True):
        site.write(storage, array)
    return arrays[0]


def _sum_rows(var: Storage, shape: tuple[int, ...], indices: np.ndarray, grad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that `indices` names, each once, and the sums of their gradients."""
    _check_rows(var, shape, indices, grad)
    if grad.dtype.kind in "fc" and grad.dtype.itemsize > 2:
        return blocked.combine_rows(np.add, grad, indices)
    rows, place = np.unique(indices, return_inverse=True)
    summed = np.zeros((len(rows), *shape[1:]), grad.dtype)
    np.add.at(summed, place, grad)
    return rows, summed


def _check_rows(var: Storage, shape: tuple[int, ...], indices: np.ndarray, grad: np.ndarray) -> None:
    """An InvalidArgumentError where `indices` and `grad` are not rows of the variable."""
    _check_fit(var, shape, indices, grad)
    _check_range(var, shape[0], indices)


def _check_fit(var: Storage, shape: tuple[int, ...], indices: np.ndarray, grad: np.ndarray) -> None:
    if not shape:
        raise InvalidArgumentError(None, None, f"variable {var.name} is a scalar: it has no rows for a sparse gradient")
    if indices.ndim != 1 or grad.shape != (len(indices), *shape[1:]):
        given = f"{list(indices.shape)} indices do not fit gradients of shape {list(grad.shape)}"
        raise InvalidArgumentError(None, None, f"variable {var.name} has shape {list(shape)}: {given}")


def _check_range(var: Storage, rows: int, indices: np.ndarray) -> None:
    if len(indices) and (indices.min() < 0 or indices.max() >= rows):
        at = int(np.argmax((indices < 0) | (indices >= rows)))
        raise InvalidArgumentError(None, None, f"indices[{at}] = {indices[at]} is not in [0, {rows}), the rows of variable {var.name}")


class Update:
    """The two ops of a rule: `dense(*variables, *values)` and `sparse(*variables, *values, indices, every_row=False, in_turn=False)`.

    every_row: the step is taken with a gradient of zero where there is none.  in_turn: rows that come several times take a step each, one
    after another; otherwise one, with their sum.
    """

    def __init__(
        self,
        name: str,
        variables: str,
        values: str,
        step: Step,
        sparse_lower: Any = None,
        sparse_kernel: Callable[..., np.ndarray] | None = None,
        has_sparse: bool = True,
        usual: Step | None = None,
    ) -> None:
        count, at = len(variables.split()), [*variables.split(), *values.split()].index("delta" if "delta" in values else "grad")
        inputs = " ".join([*(f"{v}:R{i}" for i, v in enumerate(variables.split())), values])
        options = keyword_parameters(step)
        kinds = {"T": FLOAT_OR_COMPLEX, "Tindices": INDEX}
        lower = _lower(count, at, step)
        dense = _kernel(count, at, step, usual)
        self.dense: Op = _define(
            f"Apply{name}", inputs, lambda *types, **_: TensorType(types[at].dims, types[at].dtype), dense, options, count,
            {"T": FLOAT_OR_COMPLEX}, lower,
        )  # fmt: skip
        if not has_sparse:
            return
        sparse = sparse_kernel or _sparse_kernel(count, at, step)
        self.sparse: Op = _define(
            f"SparseApply{name}", f"{inputs} indices:Tindices", lambda *types, **_: TensorType(None, types[at].dtype), sparse,
            {**options, "every_row": False, "in_turn": False}, count, kinds, sparse_lower,
        )  # fmt: skip


def _define(
    name: str, inputs: str, infer: Infer, kernel: Callable[..., np.ndarray], options: dict[str, Any], count: int, dtypes: dict[str, Any],
    lower: Any = None,
) -> Op:  # fmt: skip
    """options: the attributes, with their defaults."""

    def run_locked(*inputs: Any, **attrs: Any) -> np.ndarray:
        if count == 1:
            return run_alone(inputs[0], partial(kernel, *inputs, **attrs))
        with lock_all(inputs[:count]):
            return kernel(*inputs, **attrs)

    set_signature(run_locked, options)
    types = (name, f"Resource{name}")
    return define(
        name, inputs, infer, run_locked, {}, dtypes=dtypes, stateful=True, effects=True, lower=lower, batch=write_once, types=types
    )


def _lower_sparse_descent(
    builder: Builder,
    var: IndexExpr,
    alpha: IndexExpr,
    delta: IndexExpr,
    indices: IndexExpr,
    *,
    every_row: bool = False,
    in_turn: bool = False,
) -> Any:
    """Rows that come several times are subtracted one after another, which is their sum."""
    if var.dtype != delta.dtype or len(indices.dims) != 1 or delta.dims != (*indices.dims, *var.dims[1:]) or not var.dims:
        raise builder.Unsupported("the gradient's rows are not of the variable's type")
    return (builder.scatter(var, indices, delta * alpha, "sub"),)


GRADIENT_DESCENT = Update(
    "GradientDescent", "var", "alpha delta", _gradient_descent, sparse_lower=_lower_sparse_descent, sparse_kernel=_sparse_descent
)
MOMENTUM = Update("Momentum", "var accum", "lr grad momentum", _momentum)
KERAS_MOMENTUM = Update("KerasMomentum", "var accum", "lr grad momentum", _keras_momentum)
ADAM = Update("Adam", "var m v", "beta1_power beta2_power lr gain1 gain2 epsilon grad", _adam)
ADAM_AMSGRAD = Update(
    "AdamWithAmsgrad", "var m v vhat", "beta1_power beta2_power lr gain1 gain2 epsilon grad", _adam_amsgrad, has_sparse=False
)
RMS_PROP = Update("RMSProp", "var ms mom", "lr gain momentum epsilon grad", _rms_prop)
CENTERED_RMS_PROP = Update("CenteredRMSProp", "var mg ms mom", "lr gain momentum epsilon grad", _centered_rms_prop)
ADAGRAD = Update("Adagrad", "var accum", "lr epsilon grad", _adagrad)
ADAGRAD_2 = Update("AdagradV2", "var accum", "lr epsilon grad", _adagrad_2)
ADADELTA = Update("Adadelta", "var accum accum_update", "lr rho gain epsilon grad", _adadelta)
FTRL = Update("Ftrl", "var accum linear", "grad lr l1 l2 l2_shrinkage lr_power", _ftrl, usual=_ftrl_of_roots)
PROXIMAL_DESCENT = Update("ProximalGradientDescent", "var", "alpha l1 l2 delta", _proximal_descent)
PROXIMAL_ADAGRAD = Update("ProximalAdagrad", "var accum", "lr l1 l2 grad", _proximal_adagrad)
ADAGRAD_DA = Update("AdagradDA", "var total squares", "grad lr l1 l2 step", _adagrad_da)
