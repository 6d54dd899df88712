"""Decoding of `tf.contrib.seq2seq`: a decoder says what one step is, `dynamic_decode` takes steps until every sequence has ended."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...api.variable_scope import VariableScope, variable_scope
from ...base import nest
from ...base.dtypes import int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...control.tensor_array import TensorArray
from ...control.while_loop import while_loop_v1
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.array.basic import shape_of, zeros_of
from ...ops.array.create import zeros
from ...ops.array.join import concat
from ...ops.array.where import select
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import logical_not, logical_or
from ...ops.reduce.reductions import reduce_all
from ..rnn.loops import keep_when_done, swap_batch_and_time


@export(v1="contrib.seq2seq.Decoder")
class Decoder:
    """What `dynamic_decode` runs: `initialize()` says how it begins, `step(time, inputs, state)` goes on.

    >>> tf1.contrib.seq2seq.Decoder().tracks_own_finished
    False
    """

    @property
    def batch_size(self) -> Tensor:
        """How many sequences are decoded."""
        raise NotImplementedError(f"{type(self).__name__} must have a batch_size")

    @property
    def output_size(self) -> Any:
        """The sizes of one sequence's outputs in a step, nested as the outputs."""
        raise NotImplementedError(f"{type(self).__name__} must have an output_size")

    @property
    def output_dtype(self) -> Any:
        """The dtypes of the outputs, nested as they are."""
        raise NotImplementedError(f"{type(self).__name__} must have an output_dtype")

    @property
    def tracks_own_finished(self) -> bool:
        """Whether what `step` says is finished is all that is: else a sequence that has ended stays so."""
        return False

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Which sequences have ended before the first step, its inputs, and the first state."""
        raise NotImplementedError(f"{type(self).__name__} must have an initialize")

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """Outputs, the next state, the next inputs, and which sequences have ended."""
        raise NotImplementedError(f"{type(self).__name__} must have a step")

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: TensorLike) -> tuple[Any, Any]:
        """The outputs and the state as `dynamic_decode` gives them."""
        return outputs, final_state


@export(v1="contrib.seq2seq.BasicDecoderOutput")
class BasicDecoderOutput(namedtuple("BasicDecoderOutput", "rnn_output sample_id")):
    """What a `BasicDecoder` gives: the outputs of the cell (or of the layer behind it), and the symbols.

    >>> tf1.contrib.seq2seq.BasicDecoderOutput(1, 2).sample_id
    2
    """


@export(v1="contrib.seq2seq.BasicDecoder")
class BasicDecoder(Decoder):
    """A cell whose next inputs a helper chooses.

    Args:
        cell: a recurrent cell.
        helper: says which symbols outputs stand for, and what the next inputs are.
        initial_state: the cell's first state.
        output_layer: a layer between the cell and the helper, such as `tf.layers.Dense(symbols)`.

    >>> seq2seq = tf1.contrib.seq2seq
    >>> with tf1.Graph().as_default():
    ...     cell, helper = tf1.nn.rnn_cell.GRUCell(4), seq2seq.TrainingHelper(tf1.zeros([2, 5, 3]), [5, 4])
    ...     decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf1.float32), tf1.layers.Dense(7))
    ...     outputs, state, lengths = seq2seq.dynamic_decode(decoder)
    ...     outputs.rnn_output.shape.as_list(), outputs.sample_id.dtype.name
    ([2, None, 7], 'int32')
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        self._cell, self._helper, self._initial_state, self._output_layer = cell, helper, initial_state, output_layer

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        return self._helper.batch_size

    @property
    def output_size(self) -> Any:
        """The shapes of a step's outputs, the batch left out."""
        return BasicDecoderOutput(size_behind(self._cell, self._output_layer), self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        """The dtypes of a step's outputs."""
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(nest.map_structure(lambda _: dtype, self.output_size.rnn_output), self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Which sequences are over before the first step, the first inputs, and the first state."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: TensorLike, inputs: Any, state: Any, name: str | None = None) -> tuple[Any, Any, Any, Any]:
        """One step: (outputs, next state, next inputs, which sequences are over)."""
        outputs, state = self._cell(inputs, state)
        if self._output_layer is not None:
            outputs = self._output_layer(outputs)
        symbols = self._helper.sample(time=time, outputs=outputs, state=state)
        finished, inputs, state = self._helper.next_inputs(time=time, outputs=outputs, state=state, sample_ids=symbols)
        return BasicDecoderOutput(outputs, symbols), state, inputs, finished


def size_behind(cell: Any, layer: Any) -> Tensor:
    """The size of what a cell gives, or of what a layer makes of it."""
    size = cell.output_size
    if layer is None:
        return size
    return nest.map_structure(lambda one: layer.compute_output_shape([None, *_dims(one)])[1:], size)


def _dims(size: Any) -> list[Any]:
    return [size] if isinstance(size, int) else list(TensorShape(size))


@export(v1="contrib.seq2seq.dynamic_decode")
def dynamic_decode(
    decoder: Decoder,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: IntLike | None = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any, Any]:
    """Take steps of a decoder until all sequences have ended: (outputs, last state, lengths of the sequences).

    Args:
        output_time_major: outputs are [time, batch, ...] and not [batch, time, ...].
        impute_finished: after its end a sequence's outputs are zeros and its state stays as it was.
        maximum_iterations: the most steps; as many as it takes when None.

    Raises:
        TypeError: `decoder` is none.

    >>> seq2seq = tf1.contrib.seq2seq
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     cell, helper = tf1.nn.rnn_cell.GRUCell(4), seq2seq.TrainingHelper(tf1.zeros([2, 5, 3]), [5, 4])
    ...     _, _, lengths = seq2seq.dynamic_decode(seq2seq.BasicDecoder(cell, helper, cell.zero_state(2, tf1.float32)))
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(lengths).tolist()
    [5, 4]
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with variable_scope(scope, default_name="decoder"):
        finished, inputs, state = decoder.initialize()
        batch, dtypes = convert_to_tensor(decoder.batch_size, int32), decoder.output_dtype
        kinds = [(_dims(size), dtype) for size, dtype in zip(nest.flatten(decoder.output_size), nest.flatten(dtypes), strict=True)]
        finished = convert_to_tensor(finished)
        known = finished.dims[0] if finished.dims else None
        arrays = tuple(TensorArray(dtype, 0, dynamic_size=True, element_shape=[known, *dims]) for dims, dtype in kinds)
        nothing = [zeros(concat([batch[None], dims], 0), dtype) for dims, dtype in kinds]

        def body(time: Any, written: Any, state: Any, inputs: Any, finished: Any, lengths: Any) -> Any:
            outputs, following, inputs, ended = decoder.step(time, inputs, state)
            if not decoder.tracks_own_finished:
                ended = logical_or(ended, finished)
            if decoder.tracks_own_finished and hasattr(following, "lengths"):
                lengths = cast(following.lengths, int32)
            else:
                lengths = select(logical_not(finished), zeros_of(lengths) + time + 1, lengths)
            parts = nest.flatten(outputs)
            if impute_finished:
                parts = [select(finished, none, part) for none, part in zip(nothing, parts, strict=True)]
                following = nest.map_structure(lambda old, new: keep_when_done(finished, old, new), state, following)
            written = tuple(array.write(time, part) for array, part in zip(written, parts, strict=True))
            return time + 1, written, following, inputs, ended, lengths

        start = (convert_to_tensor(0, int32), arrays, state, inputs, finished, cast(finished, int32) * 0)
        found = while_loop_v1(
            lambda time, written, state, inputs, finished, lengths: logical_not(reduce_all(finished)), body, start,
            maximum_iterations=maximum_iterations,
        )  # fmt: skip
        _, written, state, _, _, lengths = found
        outputs = nest.pack_sequence_as(dtypes, [array.stack() for array in written])
        outputs, state = decoder.finalize(outputs, state, lengths)
        return outputs if output_time_major else nest.map_structure(swap_batch_and_time, outputs), state, lengths


def lengths_of(tensor: Any) -> list[Any]:
    """The lengths of the axes, numbers where they are known."""
    return [shape_of(tensor)[i] if length is None else length for i, length in enumerate(tensor.dims)]
