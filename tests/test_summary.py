"""Event files hold what was summarised: read back record by record, checksums and all. The numbers are TensorFlow's."""

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboardX.crc32c import crc32c
from tensorboardX.proto import event_pb2, graph_pb2, node_def_pb2, summary_pb2

import pullback as tf
from pullback.ops.effects import summary_kernels as kernels
from pullback.pictures.png import encode_png

v1 = tf.compat.v1


def events(logdir: Path) -> list[Any]:
    """Every event of every file; each record is its length, a checksum of that, the bytes and a checksum of those."""
    found = []
    for path in sorted(logdir.iterdir()):
        data = path.read_bytes()
        assert path.name.startswith("events.out.tfevents.")
        while data:
            head, (length, head_sum) = data[:8], struct.unpack("<QI", data[:12])
            body, (body_sum,) = data[12 : 12 + length], struct.unpack("<I", data[12 + length : 16 + length])
            assert (head_sum, body_sum) == (masked(head), masked(body))
            found.append(event_pb2.Event.FromString(body))
            data = data[16 + length :]
    assert found[0].file_version == "brain.Event:2"
    return found[1:]


def masked(data: bytes) -> int:
    value = crc32c(data)
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def fields(message: bytes) -> list[tuple[int, bytes]]:
    """The fields of a protocol buffer that hold messages: their numbers and the bytes."""
    found, at = [], 0
    while at < len(message):
        number, wire = message[at] >> 3, message[at] & 7
        assert wire == 2
        size, shift, at = 0, 0, at + 1
        while True:
            size |= (message[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if message[at - 1] < 0x80:
                break
        found.append((number, message[at : at + size]))
        at += size
    return found


def functions(graph: bytes) -> dict[str, tuple[list[str], list[list[str]], dict[str, str]]]:
    """The library of a GraphDef: by name the operations of each function, their inputs, and what it returns."""
    found = {}
    for _, function in fields(dict(fields(graph)).get(2, b"")):
        parts = fields(function)
        name = dict(fields(parts[0][1]))[1].decode()
        nodes = [node_def_pb2.NodeDef.FromString(part) for number, part in parts if number == 3]
        returns = [dict(fields(part)) for number, part in parts if number == 4]
        ways = {one[1].decode(): one[2].decode() for one in returns}
        found[name] = [n.op for n in nodes], [list(n.input) for n in nodes], ways
    return found


def decoded(png: bytes) -> np.ndarray:
    """The pixels of a PNG with unfiltered rows."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        (length,), name = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        data = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + data),)
        chunks[name], at = data, at + 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, {0: 1, 2: 3, 4: 2, 6: 4}[colour])


class TestGraphs:
    def test_a_training_loop(self, tmp_path: Path) -> None:
        with v1.Graph().as_default(), v1.Session() as sess:
            x = v1.placeholder(v1.float32, [])
            with v1.name_scope("loss"):
                v1.summary.scalar("total", x * 2.0)
            v1.summary.histogram("values", x * v1.ones([4]))
            merged = v1.summary.merge_all()
            writer = v1.summary.FileWriter(str(tmp_path / "logs"), sess.graph)
            for step in range(3):
                writer.add_summary(sess.run(merged, {x: float(step)}), step)
            writer.close()
        first, *found = events(tmp_path / "logs")
        nodes = {n.name: n for n in graph_pb2.GraphDef.FromString(first.graph_def).node}
        assert set(nodes) == {op.name for op in sess.graph.get_operations()}
        assert nodes["loss/mul"].input[0] == "Placeholder" and nodes["loss/mul"].attr["_output_shapes"].list.shape[0].dim == []
        assert [(e.step, [v.tag for v in e.summary.value]) for e in found] == [(i, ["loss/total", "values"]) for i in range(3)]
        assert [e.summary.value[0].simple_value for e in found] == [0.0, 2.0, 4.0]
        assert found[2].summary.value[1].histo.num == 4 and found[2].summary.value[1].histo.sum == 8.0

    def test_writer_reopens(self, tmp_path: Path) -> None:
        with v1.Graph().as_default():
            writer = v1.summary.FileWriter(tmp_path, filename_suffix=".mine")
        writer.close()
        writer.reopen()
        writer.flush()
        writer.close()
        assert len(list(tmp_path.glob("*.mine"))) == 2

    def test_graphs(self, tmp_path: Path) -> None:
        with v1.Graph().as_default() as graph:
            v1.constant(1.0, name="one")
            writer = v1.summary.FileWriter(tmp_path, graph_def=graph)
            writer.add_graph(graph.as_graph_def(), 3)
            with pytest.raises(ValueError, match="only graph, or graph_def"):
                writer.add_graph(graph, graph_def=graph)
            with pytest.raises(TypeError, match="must be an instance of `Graph`"):
                writer.add_graph([1])
            writer.close()
        found = events(tmp_path)
        assert [(e.step, graph_pb2.GraphDef.FromString(e.graph_def).node[0].name) for e in found] == [(0, "one"), (3, "one")]

    def test_names_are_unique_and_clean(self) -> None:
        with v1.Graph().as_default():
            tensors = [v1.summary.scalar("a b", 1.0), v1.summary.scalar("a b", 1.0), v1.summary.scalar("c", 1.0, family="f")]
            assert [t.name for t in tensors] == ["a_b:0", "a_b_1:0", "f/c:0"]
            assert v1.get_collection(v1.GraphKeys.SUMMARIES) == tensors
            v1.summary.scalar("d", 1.0, collections=["mine"])
            assert len(v1.get_collection("mine")) == 1 and len(v1.get_collection(v1.GraphKeys.SUMMARIES)) == 3

    def test_nothing_to_merge(self) -> None:
        with v1.Graph().as_default():
            assert v1.summary.merge_all() is None

    def test_histogram(self) -> None:
        histo = summary_pb2.Summary.FromString(kernels.histogram("h", np.array([1.0, -1.0, 0.0, 1e-13, 3.0]))).value[0].histo
        assert (histo.min, histo.max, histo.num, histo.sum, histo.sum_squares) == (-1.0, 3.0, 5.0, 3.0000000000001, 11.0)
        assert list(histo.bucket) == [0, 1, 0, 2, 0, 1, 0, 1, 0]
        limits = [-1.0089710279437536, -0.917246389039776, 0, 1e-12, 0.917246389039776, 1.0089710279437536, 2.8787120958073054]
        assert list(histo.bucket_limit) == [*limits, 3.1665833053880363, 1.7976931348623157e308]

    @pytest.mark.parametrize(
        ("picture", "shown"),
        [
            (np.array([[0.14335328, 0.9446689, 0.5218483]]), [38, 255, 140]),
            (np.array([[-1.70627, 1.9507754, -0.5096522]]), [16, 255, 94]),
            (np.zeros((1, 2)), [0, 0]),
            (np.array([[1.0, np.nan, 2.0, 3.0]]), [85, 255, 170, 255]),
            (np.array([[7, 255, 0]], np.uint8), [7, 255, 0]),
        ],
    )
    def test_pixels(self, picture: np.ndarray, shown: list[int]) -> None:
        pixels = kernels.pixels(picture[..., None] if picture.dtype == np.uint8 else picture[..., None].astype(np.float32))
        assert pixels.ravel().tolist() == shown

    @pytest.mark.parametrize("channels", [1, 2, 3, 4])
    def test_png(self, channels: int) -> None:
        picture = np.random.RandomState(0).randint(0, 256, (5, 7, channels)).astype(np.uint8)
        np.testing.assert_array_equal(decoded(encode_png(picture)), picture)


class TestEager:
    def test_functions_of_a_graph_are_in_its_library(self, tmp_path: Path) -> None:
        inner = tf.function(lambda x: tf.unstack(x)[1] * 2.0)

        @tf.function
        def f(x: tf.Tensor) -> tf.Tensor:
            for _ in tf.range(3):
                x = x * x
            return inner(x) + inner(x)

        with tf.summary.create_file_writer(tmp_path).as_default():
            tf.summary.graph(f.get_concrete_function(tf.TensorSpec([2])).graph)
        (event,) = events(tmp_path)
        nodes = graph_pb2.GraphDef.FromString(event.graph_def).node
        library = functions(event.graph_def)
        named = [n.attr[a].func.name for n in nodes for a in ("cond", "body", "f") if a in n.attr]
        assert list(library) == list(dict.fromkeys(named)) and len(named) == 4 and len(library) == 3
        operations, inputs, returns = library[named[-1]]
        assert (operations, inputs) == (["Unpack", "Const", "Mul"], [["x"], [], ["unstack:output:1", "mul/y:out:0"]]), inputs
        assert returns == {"result_0": "mul:out:0"}

    def test_the_graph_of_a_function(self, tmp_path: Path) -> None:
        f = tf.function(lambda x: tf.sin(x) * x)
        found = f.get_concrete_function(tf.TensorSpec([2])).graph
        assert not tf.summary.graph(found)
        with tf.summary.create_file_writer(tmp_path).as_default():
            assert tf.summary.graph(found) and tf.summary.graph(found.as_graph_def())
            with tf.summary.record_if(False):
                assert not tf.summary.graph(found)
            with pytest.raises(ValueError, match="is not tf"):
                tf.summary.graph(3)
            with pytest.raises(RuntimeError, match="inside a graph context"):
                tf.function(lambda: tf.summary.graph(found))()
        both = [graph_pb2.GraphDef.FromString(e.graph_def) for e in events(tmp_path)]
        assert [[n.op for n in g.node] for g in both] == [["Placeholder", "Sin", "Mul"]] * 2

    def test_the_graphs_of_functions_that_ran(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        inner = tf.function(lambda x: tf.sin(x))
        f = tf.function(lambda x: inner(x) * x)
        f(tf.constant(1.0))
        with tf.summary.create_file_writer(tmp_path).as_default():
            with pytest.raises(ValueError, match="Must enable trace before export"):
                tf.summary.trace_export("early", step=0)
            tf.summary.trace_on(profiler=True)
            tf.summary.trace_on()
            assert [r.message.split(":")[0] for r in caplog.records] == ["No profile is written", "Trace already enabled"]
            x = tf.Variable([1.0, 2.0])
            for _ in range(2):
                with tf.GradientTape() as tape:
                    y = f(x * 1.0)
            assert np.allclose(tape.gradient(y, x), np.cos([1, 2]) * [1, 2] + np.sin([1, 2]))
            with pytest.raises(ValueError, match="No step set"):
                tf.summary.trace_export("f")
            tf.summary.trace_export("f", step=3)
            f(tf.constant([[1.0]]))
            tf.summary.trace_on(graph=False)
            f(tf.constant([[1.0]]))
            tf.summary.trace_export("nothing", step=4)
            tf.function(tf.summary.trace_on)()
            tf.function(lambda: tf.summary.trace_export("inside", step=1))()
            assert [r.message for r in caplog.records[2:]] == [
                f"Cannot {what} trace inside a tf.function." for what in ("enable", "export")
            ]
        found = events(tmp_path)
        values = [e.summary.value[0] for e in found]
        assert [(e.step, v.tag) for e, v in zip(found, values, strict=True)] == [(3, "f"), (4, "nothing")]
        plugin = values[0].metadata.plugin_data
        assert (plugin.plugin_name, plugin.content) == ("graph_run_metadata_graph", b"1")
        traced = [dict(fields(one)) for number, one in fields(values[0].tensor.string_val[0]) if number == 4]
        graphs = [[n.op for n in graph_pb2.GraphDef.FromString(one[2]).node] for one in traced]
        assert graphs[0] == ["Placeholder", "PartitionedCall", "Mul"]
        assert [name.split("_")[0] for name in functions(traced[0][2])] == ["lambda"]
        assert all(one[2] == one[3] for one in traced)
        assert values[1].tensor.string_val[0] == b""

    def tables(self, tmp_path: Path, *histograms: tuple[list[float], int | None]) -> list[np.ndarray]:
        with tf.summary.create_file_writer(tmp_path).as_default(step=1):
            for data, buckets in histograms:
                assert tf.summary.histogram("h", data, buckets=buckets)
        return [np.frombuffer(e.summary.value[0].tensor.tensor_content).reshape(-1, 3) for e in events(tmp_path)]

    def test_histograms(self, tmp_path: Path) -> None:
        given = (([1.0, 2.0, 5.0, 7.0], 3), ([2.0, 2.0], 3), ([], 3), ([2.0], 0), ([1.0, 2.0], None), ([3.0], 1))
        a, b, c, d, e, f = self.tables(tmp_path, *given)
        assert a.tolist() == [[1, 3, 2], [3, 5, 0], [5, 7, 2]]
        assert b.tolist() == [[2, 2, 0], [2, 2, 0], [2, 2, 2]]
        assert c.tolist() == [[0, 0, 0]] * 3 and d.tolist() == [] and f.tolist() == [[3, 3, 1]]
        assert e.shape == (30, 3) and e[0].tolist() == [1.0, 1 + 1 / 30, 1.0] and e[-1, 2] == 1

    def test_scalars_images_text(self, tmp_path: Path) -> None:
        writer = tf.summary.create_file_writer(str(tmp_path))
        assert not tf.summary.scalar("before", 1.0, step=0)
        with writer.as_default():
            tf.summary.scalar("s", tf.constant(3.5), step=2, description="d")
            with tf.name_scope("inner"):
                tf.summary.scalar("x", 1, step=tf.Variable(4, dtype=tf.int64))
            tf.summary.image("i", np.array([0.0, 0.1, 0.5, 1.5], np.float32).reshape(1, 2, 2, 1), step=3)
            tf.summary.text("t", ["a", "b"], step=5)
            with tf.summary.record_if(False):
                assert not tf.summary.scalar("unwanted", 1.0, step=9)
        assert not tf.summary.should_record_summaries()
        values = [(e.step, e.summary.value[0]) for e in events(tmp_path)]
        assert [(step, v.tag, v.metadata.plugin_data.plugin_name) for step, v in values] == [
            (2, "s", "scalars"), (4, "inner/x", "scalars"), (3, "i", "images"), (5, "t", "text"),
        ]  # fmt: skip
        assert np.frombuffer(values[0][1].tensor.tensor_content, np.float32).tolist() == [3.5]
        assert values[0][1].metadata.summary_description == "d"
        assert values[0][1].metadata.SerializeToString().endswith(b"\x20\x01")  # data_class: a scalar
        width, height, png = values[2][1].tensor.string_val
        assert (width, height, decoded(png).ravel().tolist()) == (b"2", b"2", [0, 25, 127, 255])
        assert list(values[3][1].tensor.string_val) == [b"a", b"b"]

    def test_steps(self, tmp_path: Path) -> None:
        with tf.summary.create_file_writer(tmp_path).as_default():
            with pytest.raises(ValueError, match="No step set"):
                tf.summary.scalar("s", 1.0)
            tf.summary.experimental.set_step(7)
            assert tf.summary.experimental.get_step() == 7
            tf.summary.scalar("s", 1.0)
        assert tf.summary.experimental.get_step() is None
        assert [e.step for e in events(tmp_path)] == [7]

    def test_write(self, tmp_path: Path) -> None:
        """The bytes are TensorFlow 2.21's."""
        metadata = v1.SummaryMetadata()
        metadata.plugin_data.plugin_name, metadata.plugin_data.content = "p", b"1"
        assert not tf.summary.write("nobody", 1.0, step=1)
        writer = tf.summary.create_file_writer(str(tmp_path))
        with writer.as_default(), tf.name_scope("no part of the tag"):
            assert tf.summary.write("t", tf.constant([1, 2]), step=3, metadata=metadata)
            assert tf.summary.write("u", "text", step=4)
            assert tf.summary.write("v", lambda: tf.constant(2.0), step=5, metadata=metadata.SerializeToString())
            with pytest.raises(ValueError, match="No step set"):
                tf.summary.write("t", 1.0)
        writer.close()
        assert [(event.step, event.summary.SerializeToString().hex()) for event in events(tmp_path)] == [
            (3, "0a210a017442120803120412020802220801000000020000004a080a060a0170120131"),
            (4, "0a0f0a0175420a08071200420474657874"),
            (5, "0a190a0176420a080112002204000000404a080a060a0170120131"),
        ]

    def test_refusals(self, tmp_path: Path) -> None:
        with tf.summary.create_file_writer(tmp_path).as_default(step=1):
            with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape: \(2,\)"):
                tf.summary.scalar("s", [1.0, 2.0])
            with pytest.raises(ValueError, match="takes a tensor of rank 4"):
                tf.summary.image("i", np.zeros((2, 2)))


def test_functions_write_at_each_call(tmp_path: Path) -> None:
    writer, step = tf.summary.create_file_writer(str(tmp_path)), tf.Variable(0, dtype=tf.int64)

    @tf.function
    def train(x: Any) -> Any:
        with writer.as_default():
            with tf.name_scope("inside"), tf.summary.record_if(lambda: step % 2 == 0):
                even = tf.summary.scalar("even", tf.reduce_sum(x), step=step)
            with tf.summary.record_if(False):
                never = tf.summary.scalar("never", x[0], step=step)
            tf.summary.histogram("values", x, step=step, buckets=2)
            tf.summary.image("picture", tf.reshape(x, [1, 1, 2, 1]), step=step)
            tf.summary.text("text", tf.strings.as_string(step), step=step)
        step.assign_add(1)
        return even, never, tf.summary.scalar("nowhere", x[0], step=step)

    said = [[bool(was) for was in train(tf.constant([1.0, 2.0]) * i)] for i in range(3)]
    assert said == [[True, False, False], [False, False, False], [True, False, False]]
    (file,) = tmp_path.iterdir()
    found = [(event.step, v.tag, v.tensor) for event in tf.compat.v1.train.summary_iterator(file) for v in event.summary.value]
    pages = ["values", "picture", "text"]
    assert [(at, tag) for at, tag, _ in found] == [
        *((0, tag) for tag in ["inside/even", *pages]), *((1, tag) for tag in pages), *((2, tag) for tag in ["inside/even", *pages])
    ]  # fmt: skip
    assert [np.frombuffer(t.tensor_content, np.float32).item() for _, tag, t in found if tag == "inside/even"] == [0.0, 6.0]
    assert [t.string_val[0] for _, tag, t in found if tag == "text"] == [b"0", b"1", b"2"]


def test_functions_refuse_summaries_without_a_step_and_scalars_that_are_none(tmp_path: Path) -> None:
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        with pytest.raises(ValueError, match="No step set"):
            tf.function(lambda x: tf.summary.scalar("x", x))(1.0)
        with pytest.raises(ValueError, match="Expected scalar shape"):
            tf.function(lambda x: tf.summary.scalar("x", x, step=0))(tf.ones([2]))
