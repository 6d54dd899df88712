"""Recurrent layers: a cell over the steps of sequences, in a loop (`dynamic_rnn`) or step by step (`static_rnn`).

Beyond the length of a sequence outputs are zero and states stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.names import control_dependencies
from ...api.variable_scope import VariableScope, variable_scope
from ...base import nest
from ...base.dtypes import int32
from ...base.export import export
from ...control.tensor_array import TensorArray
from ...control.while_loop import while_loop_v1
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, NumberLike, Tensor
from ...ops.array.basic import identity, shape_of, zeros_of
from ...ops.array.create import zeros
from ...ops.array.join import concat, stack, unstack
from ...ops.array.order import reverse, reverse_sequence
from ...ops.array.transpose import transpose
from ...ops.array.where import select
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater_equal
from ...ops.reduce.reductions import reduce_all


def _check_cell(cell: Any, name: str) -> None:
    lacking = [part for part in ("output_size", "state_size", "zero_state") if not hasattr(cell, part)]
    if lacking or not callable(cell):
        raise TypeError(f"The argument {name!r} ({cell}) is not an RNNCell: {', '.join(lacking) or 'callable'} is missing.")


def _first_state(cell: Any, batch: NumberLike, initial_state: Any, dtype: Any) -> Any:
    if initial_state is not None:
        return nest.map_structure(convert_to_tensor, initial_state)
    if dtype is None:
        raise ValueError("If there is no initial_state, you must give a dtype.")
    return cell.zero_state(batch, dtype)


def _lengths(sequence_length: Any) -> Any:
    if sequence_length is None:
        return None
    lengths = cast(convert_to_tensor(sequence_length), int32)
    if lengths.dims is not None and len(lengths.dims) != 1:
        raise ValueError(f"sequence_length must be a vector of length batch_size, but saw shape: {lengths.shape}")
    return lengths


def _prepare(cell: Any, inputs: Tensor) -> None:
    """Let a cell make its variables outside the loop."""
    if hasattr(cell, "prepare"):
        cell.prepare(inputs)


def keep_when_done(done: Tensor, old: Any, new: Any) -> Tensor:
    """`old` for the examples that are done, `new` for the others."""
    if isinstance(new, TensorArray) or convert_to_tensor(new).dims == ():
        return new
    return select(done, old, new)


def _take_step(cell: Any, inputs: Tensor, state: Any, time: NumberLike, lengths: Tensor | None) -> tuple[Any, Any]:
    """One step of a cell: examples whose sequence is over have output zero and keep their state."""
    output, new = cell(inputs, state)
    nest.assert_same_structure(state, new)
    if lengths is None:
        return output, new
    done = greater_equal(time, lengths)
    output = nest.map_structure(lambda y: keep_when_done(done, zeros_of(y), y), output)
    return output, nest.map_structure(lambda old, now: keep_when_done(done, old, now), state, new)


def swap_batch_and_time(x: Tensor) -> Tensor:
    """The first two axes exchanged."""
    x = convert_to_tensor(x)
    if x.dims is None:
        raise ValueError("inputs of dynamic_rnn must have a known rank: use set_shape")
    return transpose(x, [1, 0, *range(2, len(x.dims))])


@export(v1="nn.dynamic_rnn")
def dynamic_rnn(
    cell: Any,
    inputs: NumberLike,
    sequence_length: NumberLike | None = None,
    initial_state: object = None,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Tensor, Tensor]:
    """Run a cell over sequences in a loop.

    inputs: [batch, steps, ...] (steps first when time_major), or a structure of such.  sequence_length: [batch], how many steps of each
    example count; all when None.  initial_state: as the cell's; zeros of `dtype` when None.  parallel_iterations and swap_memory say
    nothing here.  Returns (outputs, state): outputs like inputs, zero beyond a sequence's length; state after each sequence's last step.
    Raises ValueError without both a state and a dtype, TypeError for what is no cell.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     outputs, state = tf1.nn.dynamic_rnn(tf1.nn.rnn_cell.GRUCell(4), tf1.zeros([2, 3, 5]), dtype=tf1.float32)
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(outputs).shape
    (2, 3, 4)
    """
    _check_cell(cell, "cell")
    with variable_scope(scope or "rnn"):
        steps_first = nest.map_structure(lambda x: convert_to_tensor(x) if time_major else swap_batch_and_time(x), inputs)
        flat = nest.flatten(steps_first)
        sizes = shape_of(flat[0])
        lengths = _lengths(sequence_length)
        state = _first_state(cell, sizes[1], initial_state, dtype)
        _prepare(cell, nest.pack_sequence_as(steps_first, [x[0] for x in flat]) if _has_steps(flat[0]) else _one_step(steps_first))
        outputs, last = _loop_steps(cell, steps_first, flat, sizes[0], lengths, state)
        return outputs if time_major else nest.map_structure(swap_batch_and_time, outputs), last


def _has_steps(x: Tensor) -> bool:
    return x.dims is None or x.dims[0] != 0


def _one_step(inputs: Any) -> Any:
    return nest.map_structure(lambda x: zeros(shape_of(x)[1:], x.dtype), inputs)


def _loop_steps(cell: Any, inputs: Tensor, flat: list[Any], steps: NumberLike, lengths: Tensor | None, state: Any) -> tuple[Any, Any]:
    """The loop over steps: outputs, steps first, and the last state."""
    batch = flat[0].dims[1] if flat[0].dims is not None else None
    dtype = nest.flatten(state)[0].dtype if nest.flatten(state) else flat[0].dtype
    shapes = [[batch, size] if isinstance(size, int) else [batch, *size] for size in nest.flatten(cell.output_size)]
    arrays = tuple(TensorArray(dtype, size=steps, element_shape=shape) for shape in shapes)
    reads = [TensorArray(x.dtype, size=steps).unstack(x) for x in flat]

    def body(time: Any, written: Any, old: Any) -> Any:
        given = nest.pack_sequence_as(inputs, [_set_shape(array.read(time), x) for array, x in zip(reads, flat, strict=True)])
        output, new = _take_step(cell, given, old, time, lengths)
        pairs = zip(written, nest.flatten(output), strict=True)
        return time + 1, tuple(array.write(time, y) for array, y in pairs), new

    found = while_loop_v1(lambda time, written, old: time < steps, body, (convert_to_tensor(0, int32), arrays, state))
    outputs = nest.pack_sequence_as(cell.output_size, [_set_steps(array.stack(), flat[0]) for array in found[1]])
    return outputs, found[2]


def _set_steps(stacked: Tensor, inputs: Tensor) -> Any:
    """Outputs of a loop, which has as many steps as its inputs."""
    if inputs.dims is not None and stacked.dims is not None:
        stacked.set_shape([inputs.dims[0], *stacked.dims[1:]])
    return stacked


def _set_shape(value: Tensor, whole: Tensor) -> Any:
    if whole.dims is not None:
        value.set_shape(list(whole.dims[1:]))
    return value


@export(v1="nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: NumberLike,
    sequence_length: NumberLike | None = None,
    initial_state_fw: object = None,
    initial_state_bw: object = None,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any]:
    """`dynamic_rnn` forwards and, with another cell, backwards: ((outputs_fw, outputs_bw), (state_fw, state_bw)).

    >>> with tf1.Graph().as_default():
    ...     cells = tf1.nn.rnn_cell.GRUCell(4), tf1.nn.rnn_cell.GRUCell(4)
    ...     (forwards, backwards), states = tf1.nn.bidirectional_dynamic_rnn(*cells, tf1.zeros([2, 3, 5]), dtype=tf1.float32)
    ...     print(forwards.shape, backwards.shape, states[0].shape)
    (2, 3, 4) (2, 3, 4) (2, 4)
    """
    _check_cell(cell_fw, "cell_fw")
    _check_cell(cell_bw, "cell_bw")
    time, batch = (0, 1) if time_major else (1, 0)

    def reverse_time(x: Any) -> Any:
        if sequence_length is None:
            return reverse(x, [time])
        return reverse_sequence(x, sequence_length, seq_axis=time, batch_axis=batch)

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            forwards = dynamic_rnn(cell_fw, inputs, sequence_length, initial_state_fw, dtype, time_major=time_major, scope=fw)
        with variable_scope("bw") as bw:
            back = nest.map_structure(reverse_time, inputs)
            outputs, state = dynamic_rnn(cell_bw, back, sequence_length, initial_state_bw, dtype, time_major=time_major, scope=bw)
        return (forwards[0], nest.map_structure(reverse_time, outputs)), (forwards[1], state)


@export(v1="nn.raw_rnn")
def raw_rnn(
    cell: Any, loop_fn: Callable[..., Any], parallel_iterations: int | None = None, swap_memory: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Run a cell in a loop that `loop_fn` steers.

    loop_fn(time, cell_output, cell_state, loop_state) gives (elements_finished, next_input, next_cell_state, emit_output,
    next_loop_state); it is first called with None for output, state and loop state, and then gives the first state and, in emit_output,
    zeros of what one example emits (the cell's output when None).  Returns (a TensorArray of what was emitted, the last state, the last
    loop state).  Raises TypeError for what is no cell or no function.

    >>> def doubled_until_three(time, output, state, loop_state):
    ...     first = output is None
    ...     following = tf1.ones([1, 2]) if first else output
    ...     return time >= 3, following, tf1.zeros([1, 2]) if first else state, output, None
    >>> class Twice(tf1.nn.rnn_cell.RNNCell):
    ...     state_size = output_size = 2
    ...     def __call__(self, inputs, state, scope=None):
    ...         return 2.0 * inputs, state
    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     emitted, _, _ = tf1.nn.raw_rnn(Twice(), doubled_until_three)
    ...     print(session.run(emitted.stack()).tolist())
    [[[2.0, 2.0]], [[4.0, 4.0]], [[8.0, 8.0]]]
    """
    _check_cell(cell, "cell")
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn"):
        time = convert_to_tensor(0, int32)
        finished, given, state, emitted, loop_state = loop_fn(time, None, None, None)
        given = nest.map_structure(convert_to_tensor, given)
        first = nest.flatten(given)[0]
        batch = shape_of(first)[0]
        state = nest.map_structure(convert_to_tensor, state)
        dtype = nest.flatten(state)[0].dtype
        _prepare(cell, given)
        if emitted is not None:
            kinds = [(list(convert_to_tensor(e).shape.as_list()), convert_to_tensor(e).dtype) for e in nest.flatten(emitted)]
            structure = emitted
        else:
            kinds = [([size] if isinstance(size, int) else list(size), dtype) for size in nest.flatten(cell.output_size)]
            structure = cell.output_size
        static = first.dims[0] if first.dims is not None else None
        arrays = tuple(TensorArray(kind, size=0, dynamic_size=True, element_shape=[static, *shape]) for shape, kind in kinds)
        nothing = tuple(zeros(_add_batch(batch, shape), kind) for shape, kind in kinds)
        state_of_loop = loop_state if loop_state is not None else convert_to_tensor(0, int32)

        def body(time: Any, finished: Any, given: Any, written: Any, state: Any, loop_state_now: Any) -> Any:
            output, new = cell(given, state)
            known = loop_state_now if loop_state is not None else None
            over, following, new, emitted, after = loop_fn(time + 1, output, new, known)
            new = nest.map_structure(lambda old, now: keep_when_done(finished, old, now), state, new)
            parts = nest.flatten(output if emitted is None else emitted)
            pairs = zip(written, nothing, parts, strict=True)
            arrays = tuple(array.write(time, keep_when_done(finished, none, part)) for array, none, part in pairs)
            return time + 1, _combine_flags(finished, over), following, arrays, new, loop_state_now if after is None else after

        start = (time, convert_to_tensor(finished), given, arrays, state, state_of_loop)
        found = while_loop_v1(lambda time, finished, *rest: _is_unfinished(finished), body, start)
        emitted_arrays = nest.pack_sequence_as(structure, list(found[3]))
        return emitted_arrays, found[4], found[5] if loop_state is not None else None


def _add_batch(batch: Any, shape: list[Any]) -> Any:
    return [int(batch), *shape] if not hasattr(batch, "dims") else concat([[batch], shape], 0)


def _combine_flags(a: Any, b: Any) -> Any:
    return convert_to_tensor(a) | convert_to_tensor(b)


def _is_unfinished(finished: Any) -> Any:
    return ~reduce_all(finished)


# ---------------------------------------------------------------------- step by step


@export(v1=("nn.static_rnn", "contrib.rnn.static_rnn"))
def static_rnn(
    cell: Any,
    inputs: Sequence[Any],
    initial_state: object = None,
    dtype: DTypeLike | None = None,
    sequence_length: NumberLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Run a cell over a list of inputs, one for each step: (outputs, state); the other arguments as `dynamic_rnn`.

    >>> with tf1.Graph().as_default():
    ...     outputs, state = tf1.nn.static_rnn(tf1.nn.rnn_cell.GRUCell(4), [tf1.zeros([2, 5])] * 3, dtype=tf1.float32)
    ...     print(len(outputs), outputs[0].shape, state.shape)
    3 (2, 4) (2, 4)
    """
    _check_cell(cell, "cell")
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "rnn") as entered:
        steps = [nest.map_structure(convert_to_tensor, x) for x in inputs]
        state = _first_state(cell, shape_of(nest.flatten(steps[0])[0])[0], initial_state, dtype)
        lengths, outputs = _lengths(sequence_length), []
        for time, x in enumerate(steps):
            output, state = _take_step(cell, x, state, time, lengths)
            outputs.append(output)
            entered.reuse_variables()
        return outputs, state


@export(v1=("nn.static_state_saving_rnn", "contrib.rnn.static_state_saving_rnn"))
def static_state_saving_rnn(
    cell: Any, inputs: Sequence[Any], state_saver: Any, state_name: str, sequence_length: NumberLike | None = None, scope: Any = None
) -> tuple[list[Any], Any]:
    """`static_rnn` that begins with `state_saver.state(name)` and ends with `state_saver.save_state(name, state)`.

    state_name: a name, or a structure of names like the cell's state.

    >>> class Saver:
    ...     def state(self, name):
    ...         return tf1.zeros([2, 4])
    ...     def save_state(self, name, value):
    ...         return tf1.identity(value, name="saved").op
    >>> with tf1.Graph().as_default():
    ...     outputs, state = tf1.nn.static_state_saving_rnn(tf1.nn.rnn_cell.GRUCell(4), [tf1.zeros([2, 5])] * 3, Saver(), "memory")
    ...     print(len(outputs), state.shape)
    3 (2, 4)
    """
    names = nest.flatten(state_name)
    if nest.is_nested(cell.state_size) != nest.is_nested(state_name) or len(names) != len(nest.flatten(cell.state_size)):
        raise ValueError("state_name must have the structure of the cell's state_size")
    first = nest.pack_sequence_as(cell.state_size, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, first, sequence_length=sequence_length, scope=scope)
    with control_dependencies([state_saver.save_state(n, part) for n, part in zip(names, nest.flatten(state), strict=True)]):
        return [*outputs[:-1], nest.map_structure(identity, outputs[-1])], nest.map_structure(identity, state)


@export(v1=("nn.static_bidirectional_rnn", "contrib.rnn.static_bidirectional_rnn"))
def static_bidirectional_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Sequence[Any],
    initial_state_fw: object = None,
    initial_state_bw: object = None,
    dtype: DTypeLike | None = None,
    sequence_length: NumberLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any, Any]:
    """`static_rnn` forwards and, with another cell, backwards: (outputs side by side, state_fw, state_bw).

    >>> with tf1.Graph().as_default():
    ...     cells = tf1.nn.rnn_cell.GRUCell(4), tf1.nn.rnn_cell.GRUCell(4)
    ...     outputs, _, _ = tf1.nn.static_bidirectional_rnn(*cells, [tf1.zeros([2, 5])] * 3, dtype=tf1.float32)
    ...     print(len(outputs), outputs[0].shape)
    3 (2, 8)
    """
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw:
            outputs_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, fw)
        with variable_scope("bw") as bw:
            outputs, state_bw = static_rnn(cell_bw, _reverse_steps(inputs, sequence_length), initial_state_bw, dtype, sequence_length, bw)
        pairs = zip(outputs_fw, _reverse_steps(outputs, sequence_length), strict=True)
        joined = [nest.map_structure(lambda f, b: concat([f, b], 1), forward, back) for forward, back in pairs]
        return joined, state_fw, state_bw


def _reverse_steps(steps: Sequence[Any], sequence_length: Any) -> list[Any]:
    """The steps in reverse order, each example's within its length."""
    if sequence_length is None:
        return list(reversed(steps))
    columns = zip(*(nest.flatten(x) for x in steps), strict=True)
    flat = [unstack(reverse_sequence(stack(column), sequence_length, seq_axis=0, batch_axis=1)) for column in columns]
    return [nest.pack_sequence_as(steps[0], list(parts)) for parts in zip(*flat, strict=True)]
