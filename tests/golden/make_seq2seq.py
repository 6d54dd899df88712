"""Record what TensorFlow Addons answers, whose `seq2seq` went on where `tf.contrib.seq2seq` ended: losses, attention, decoders, beams.

    python -m tests.golden.make_seq2seq

with an interpreter that has TensorFlow, tf_keras, tensorflow-addons 0.23 and typeguard 2 (`pip install --no-deps tensorflow-addons`).
"""

from __future__ import annotations

import json
import os
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np

TARGET = Path(__file__).parent / "data" / "seq2seq.json"
BATCH, TIME, DEPTH, UNITS, SYMBOLS, MEMORY, SEEN, BEAMS = 3, 5, 4, 6, 7, 8, 5, 3
_rng = np.random.default_rng(0)


def _numbers(*shape: int) -> np.ndarray:
    return (_rng.normal(size=shape) * 0.6).astype(np.float32)


#: What both sides are given.
memory, memory_lengths = _numbers(BATCH, TIME, MEMORY), np.array([5, 3, 2], np.int32)
inputs, lengths, table = _numbers(BATCH, 4, DEPTH), np.array([4, 2, 3], np.int32), _numbers(SYMBOLS, DEPTH)
logits, targets = _numbers(BATCH, 4, SYMBOLS), _rng.integers(0, SYMBOLS, (BATCH, 4)).astype(np.int32)
weights = np.array([[1, 0.5, 0, 0.2], [1, 1, 1, 0], [0.3, 0, 0, 2]], np.float32)
steps, parents = (_rng.integers(0, n, (6, 2, BEAMS)).astype(np.int32) for n in (SYMBOLS, BEAMS))
#: Variables by how their names end in TensorFlow 1; an LSTM's gates are in its order there: input, new, forget, output.
variables = {
    "memory_layer/kernel": _numbers(MEMORY, UNITS),
    "query_layer/kernel": _numbers(UNITS, UNITS),
    "attention_v": _numbers(UNITS),
    "attention_g": np.float32(0.7),
    "attention_b": _numbers(UNITS),
    "attention_layer/kernel": _numbers(UNITS + MEMORY, SEEN),
    "attention_wrapper/basic_lstm_cell/kernel": _numbers(DEPTH + SEEN + UNITS, 4 * UNITS),
    "decoder/basic_lstm_cell/kernel": 2 * _numbers(DEPTH + UNITS, 4 * UNITS),
    "basic_lstm_cell/bias": _numbers(4 * UNITS),
    "seen/kernel": _numbers(SEEN, SYMBOLS),
    "seen/bias": _numbers(SYMBOLS),
    "plain/kernel": 2 * _numbers(UNITS, SYMBOLS),
}
first = np.full((BATCH, UNITS), 0.1, np.float32), np.zeros((BATCH, UNITS), np.float32)  # h and c
starts, END, MOST = np.array([1, 2, 3], np.int32), 0, 8
#: Options of `sequence_loss`: (average over timesteps, over the batch, sum over timesteps, over the batch).
LOSSES = [(1, 1, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 1, 0), (0, 0, 0, 1)]
ATTENTIONS: dict[str, tuple[str, dict[str, bool]]] = {
    "bahdanau": ("BahdanauAttention", {}),
    "bahdanau normalized": ("BahdanauAttention", {"normalize": True}),
    "luong": ("LuongAttention", {}),
    "luong scaled": ("LuongAttention", {"scale": True}),
}


def _load_addons() -> tuple[Any, Any, Any]:
    """TensorFlow, tf_keras and TensorFlow Addons, which look for a module of Keras 2 and a name of NumPy 1."""
    os.environ["TF_USE_LEGACY_KERAS"] = "1"
    np.Inf = np.inf  # type: ignore[attr-defined]
    import tensorflow as tf
    import tf_keras
    from tf_keras.src.engine import keras_tensor

    engine = types.ModuleType("keras.src.engine")
    engine.keras_tensor = keras_tensor  # type: ignore[attr-defined]
    sys.modules |= {"keras.src.engine": engine, "keras.src.engine.keras_tensor": keras_tensor}
    import tensorflow_addons

    return tf, tf_keras.layers, tensorflow_addons.seq2seq


class _Recorder:
    def __init__(self) -> None:
        self.tf, self.layers, self.seq2seq = _load_addons()
        self.found: dict[str, Any] = {}

    def note(self, name: str, values: Any) -> None:
        """Keep values by a name."""
        self.found[name] = [np.asarray(value, np.float64).round(6).tolist() for value in values]

    def lstm(self, kernel: str, depth: int) -> Any:
        """A cell of Keras with TensorFlow 1's variables: other gates first, and the bias of forgetting in the variable."""
        i, j, f, o = np.split(variables[kernel], 4, 1)
        bi, bj, bf, bo = np.split(variables["basic_lstm_cell/bias"], 4)
        both = np.concatenate([i, f, j, o], 1)
        cell = self.layers.LSTMCell(UNITS)
        cell.build((None, depth))
        cell.set_weights([both[:depth], both[depth:], np.concatenate([bi, bf + 1, bj, bo])])
        return cell

    def dense(self, name: str) -> Any:
        """A dense layer with the variables of that name."""
        values = [variables[f"{name}/{part}"] for part in ("kernel", "bias") if f"{name}/{part}" in variables]
        layer = self.layers.Dense(values[0].shape[1], use_bias=len(values) == 2)
        layer.build((None, values[0].shape[0]))
        layer.set_weights(values)
        return layer

    def attention(self, kind: str, options: dict[str, bool]) -> Any:
        """A mechanism over the memory."""
        found = getattr(self.seq2seq, kind)(UNITS, **options)
        found.memory_layer.build((None, None, MEMORY))
        if kind == "BahdanauAttention":
            found.query_layer.build((None, UNITS))
        found.memory_layer.set_weights([variables["memory_layer/kernel"]])
        found.setup_memory(memory, memory_lengths)
        if not found.built:
            found.build([(None, UNITS), (None, TIME)])
        for variable in found.weights:
            own = next((key for key in ("attention_v", "attention_g", "attention_b") if key in variable.name), None)
            kernel = "memory_layer/kernel" if variable.shape[0:1] == [MEMORY] else "query_layer/kernel"
            variable.assign(variables[own or kernel])
        return found

    def record(self) -> None:
        """Ask for everything."""
        tf, seq2seq = self.tf, self.seq2seq
        for options in LOSSES:
            with tf.GradientTape() as tape:
                given = tf.constant(logits)
                tape.watch(given)
                loss = seq2seq.sequence_loss(given, targets, weights, *map(bool, options))
            self.note(f"loss {options}", [loss, tape.gradient(loss, given)])
        self.note("tree", [seq2seq.gather_tree(steps, parents, np.array([6, 4], np.int32), 2)])
        for name, (kind, options) in ATTENTIONS.items():
            for impute in (False, True):
                cell, layer = self.lstm("attention_wrapper/basic_lstm_cell/kernel", DEPTH + SEEN), self.dense("attention_layer")
                wrapper = seq2seq.AttentionWrapper(cell, self.attention(kind, options), attention_layer=layer, alignment_history=True)
                decoder = seq2seq.BasicDecoder(wrapper, seq2seq.TrainingSampler(), self.dense("seen"), impute_finished=impute)
                state = wrapper.get_initial_state(batch_size=BATCH, dtype=tf.float32)
                with tf.GradientTape() as tape:
                    outputs, state, ends = decoder(inputs, initial_state=state, sequence_length=lengths)
                    total = tf.reduce_sum(tf.sin(outputs.rnn_output))
                values = [outputs.rnn_output, outputs.sample_id, ends, tape.gradient(total, layer.kernel), state.alignments]
                self.note(f"{name} {impute}", [*values, state.attention, state.alignment_history.stack(), state.cell_state[0]])
        for impute in (False, True):
            cell, sampler = self.lstm("decoder/basic_lstm_cell/kernel", DEPTH), seq2seq.GreedyEmbeddingSampler()
            decoder = seq2seq.BasicDecoder(cell, sampler, self.dense("plain"), impute_finished=impute, maximum_iterations=MOST)
            outputs, _, ends = decoder(table, start_tokens=starts, end_token=END, initial_state=list(map(tf.constant, first)))
            self.note(f"greedy {impute}", [outputs.rnn_output, outputs.sample_id, ends])
        for penalty in (0.0, 0.8):
            cell, layer = self.lstm("decoder/basic_lstm_cell/kernel", DEPTH), self.dense("plain")
            decoder = seq2seq.BeamSearchDecoder(
                cell, BEAMS, output_layer=layer, length_penalty_weight=penalty, maximum_iterations=MOST
            )
            state = seq2seq.tile_batch(list(map(tf.constant, first)), BEAMS)
            outputs, state, ends = decoder(table, start_tokens=starts, end_token=END, initial_state=state)
            scores = outputs.beam_search_decoder_output.scores
            self.note(f"beams {penalty}", [outputs.predicted_ids, scores, ends, state.lengths, state.log_probs])


def main() -> None:
    recorder = _Recorder()
    recorder.record()
    TARGET.write_text(json.dumps(recorder.found) + "\n")


if __name__ == "__main__":
    main()
