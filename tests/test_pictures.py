"""Pictures: well-formed, nothing on top of anything else, complete, and made in O(n log n)."""

import base64
import itertools
import random
import re
import sys
import traceback
import xml.etree.ElementTree as ET
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.interop import notebook
from pullback.pictures.diagram import Arrow, Diagram, Leaf, columns
from pullback.pictures.drawing import Drawing
from pullback.pictures.folding import LINE, MOST, SMALL, Tree, repetitions
from pullback.pictures.layers import Arrangement
from pullback.pictures.placing import HEAD, Placement
from tests.programs import python

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = ["flat", "chain", "scoped", "layers", "wide"]


def made(shape: str, count: int) -> Diagram:
    """A diagram of `count` leaves."""
    draw = random.Random(count)
    diagram = Diagram(f"{shape} {count}")
    for i in range(count):
        scope = {"scoped": (f"block_{i // 50}", f"layer_{i // 10 % 5}"), "layers": (f"layer_{i // 8}",)}.get(shape, ())
        kind = i % 8 if shape == "layers" else 0 if shape == "chain" else draw.randrange(6)
        told = "it ends here. " * 5 if i == 7 else ""
        diagram.leaves.append(Leaf(f"Op{kind}", scope, note=f"{kind + 1}×3", hover=f"place {i}", sentence=told))
        if shape != "wide":
            diagram.arrows += [Arrow(i - d, i, f"{i - d} to {i}") for d in {1, 1 + kind} if i >= d]
    if shape == "wide":
        diagram.arrows += [Arrow(i, count - 1) for i in range(count - 1)]
    return diagram


def graph() -> tf1.Graph:
    """A network with its gradients in a TensorFlow 1 graph."""
    with tf1.Graph().as_default() as found:
        h = tf1.placeholder(tf.float32, [None, 4], name="images")
        for i in range(5):
            with tf1.variable_scope(f"dense_{i}"):
                h = tf.nn.relu(tf.matmul(h, tf1.get_variable("kernel", [4, 4])) + tf1.get_variable("bias", [4]))
        tf1.gradients(tf.reduce_mean(h * h), tf1.trainable_variables())
    return found


def overlaps(rectangles: list[tuple[float, float, float, float]]) -> list[tuple[float, ...]]:
    """Pairs of rectangles that share more than an edge."""
    found, current = [], []
    for one in sorted(rectangles):
        x, y, width, height = one
        current = [r for r in current if r[0] + r[2] > x + 0.01]
        found += [(*one, *r) for r in current if r[1] < y + height - 0.01 and y < r[1] + r[3] - 0.01 and width and r[2]]
        current.append(one)
    return found


def words_of(placement: Placement) -> list[tuple[float, float, float, float]]:
    """The rectangles of all labels, notes and sentences that are shown, from the letters in them."""
    tree, found = placement.arrangement.tree, []
    for i, (x, y, width, height) in placement.rectangles.items():
        if i >= len(tree.boxes):
            continue
        box = tree.boxes[i]
        if i in placement.opened and box.children:
            assert width >= 10 + 7.25 * columns(box.label)
            found.append((x + 10, y + 6, 7.25 * columns(box.label), HEAD - 12))
            continue
        assert box.box >= 7.25 * columns(box.label) + 8
        found.append((x + box.shift, y, box.box, 26.0))
        if box.note:
            assert box.width - box.box >= 6.05 * columns(box.note) + 5
            found.append((x + 5 if box.shift else x + box.box + 5, y, 6.05 * columns(box.note), 12.0))
        assert height >= 26 + LINE * len(box.sentence)
        found += [(x, y + 26 + LINE * k + 2, SMALL * columns(line), LINE - 2) for k, line in enumerate(box.sentence)]
    return found


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("opened", ["as at first", "all"])
def test_nothing_overlaps(shape: str, opened: str) -> None:
    tree = Tree(made(shape, 400))
    groups = tree.open_groups(60) if opened == "as at first" else {i for i in tree.downwards() if tree.boxes[i].children}
    placement = Placement(Arrangement(tree), groups)
    assert overlaps(words_of(placement)) == []
    for group in groups:  # boxes are inside theirs, and apart
        x, y, width, height = placement.rectangles[group]
        inside = [placement.rectangles[c] for c in tree.boxes[group].children]
        assert overlaps([tuple(r) for r in inside]) == []
        assert all(r.x >= x and r.y >= y + HEAD - 1 for r in inside)
        assert all(r.x + r.width <= x + width + 0.01 and r.y + r.height <= y + height + 0.01 for r in inside)


def test_nothing_overlaps_in_a_graph_with_gradients() -> None:
    tree = Tree(graph()._diagram())
    placement = Placement(Arrangement(tree), {i for i in tree.downwards() if tree.boxes[i].children})
    assert overlaps(words_of(placement)) == []


def nested(seed: int) -> Diagram:
    """A diagram of groups in groups, some of which run backwards, with arrows that lead on and, between groups, back."""
    draw = random.Random(seed)
    diagram = Diagram(f"nested {seed}")
    for i in range(draw.randrange(5, 60)):
        scope = [f"s{draw.randrange(3)}" for _ in range(draw.randrange(4))]
        if draw.random() < 0.4:
            scope.insert(draw.randrange(2) if scope else 0, "gradients")
        told = "it ends here. " * 5 if draw.random() < 0.1 else ""
        label, note = "Op" * draw.randrange(1, 6), "3×4" * draw.randrange(2)
        diagram.leaves.append(Leaf(label, tuple(scope), note=note, hover=f"place {i}", sentence=told))
        diagram.arrows += [Arrow(j, i) for j in {draw.randrange(i) for _ in range(draw.randrange(4)) if i}]
    return diagram


def points_of(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points on a line as it is drawn: level, or bent between two points as a cubic whose middle ones are half way."""
    found = []
    for (x, y), (a, b) in itertools.pairwise(points):
        for t in (i / 16 for i in range(17)):
            bent = x + (a - x) * (1.5 * t * (1 - t) + t**3) if b != y else x + (a - x) * t
            found.append((bent, y + (b - y) * (3 * t * t - 2 * t**3)))
    return found


@pytest.mark.parametrize("opened", ["as at first", "all"])
def test_no_arrow_goes_through_words(opened: str) -> None:
    drawn = 0
    for diagram in [*map(nested, range(60)), *(made(shape, 60) for shape in SHAPES)]:
        tree = Tree(diagram)
        groups = tree.open_groups(20) if opened == "as at first" else {i for i in tree.downwards() if tree.boxes[i].children}
        placement = Placement(Arrangement(tree), groups)
        words = [r for r in words_of(placement) if r[2]]
        for route in placement.routes:
            drawn += not route.is_across
            for x, y in [] if route.is_across else points_of(route.points):
                hit = [(a, b, w, h) for a, b, w, h in words if a + 0.5 < x < a + w - 0.5 and b + 0.5 < y < b + h - 0.5]
                assert not hit, (diagram.title, route, hit)
    assert drawn > 1000


@pytest.mark.parametrize("shape", SHAPES)
def test_folding_keeps_every_leaf(shape: str) -> None:
    diagram = made(shape, 1000)
    tree = Tree(diagram)
    found = sorted(i for i in tree.downwards() if not tree.boxes[i].children)
    assert found == list(range(1000))
    assert tree.boxes[tree.root].leaves == 1000
    for i in tree.downwards():
        assert len(tree.boxes[i].children) <= MOST
        for child in tree.boxes[i].children:
            assert tree.boxes[child].parent == i and tree.boxes[child].depth == tree.boxes[i].depth + 1


@pytest.mark.parametrize("shape", SHAPES)
def test_every_arrow_between_shown_boxes_is_drawn(shape: str) -> None:
    tree = Tree(made(shape, 300))
    placement = Placement(Arrangement(tree), tree.open_groups(60))
    drawn = sorted(i for route in placement.routes for i in route.arrows)
    arrows = tree.diagram.arrows
    assert drawn == [i for i, a in enumerate(arrows) if placement.find_shown(a.start) != placement.find_shown(a.end)]
    forward = [(a, b) for a, b, *_ in placement.routes]
    assert all(placement.rectangles[a].x < placement.rectangles[b].x for a, b in forward if tree.boxes[a].parent == tree.boxes[b].parent)


@pytest.mark.parametrize("shape", ["flat", "scoped"])
def test_work_grows_little_faster_than_the_graph(shape: str) -> None:
    def lines(count: int) -> int:
        """How many lines of the pictures' modules run for one picture."""
        done = 0

        def within(frame, event, argument):
            nonlocal done
            done += event == "line"
            return within

        def outer(frame, event, argument):
            return within if "pictures" in frame.f_code.co_filename else None

        drawing = Drawing(made(shape, count))
        before = sys.gettrace()
        sys.settrace(outer)
        try:
            drawing.to_svg()
        finally:
            sys.settrace(before)
        return done

    small, large = lines(1000), lines(10_000)
    assert large <= 10 * small * 4 / 3 * 1.1  # n log n, and a tenth


def test_layers_that_repeat_are_folded() -> None:
    assert repetitions([1, 2, 3] * 4) == [(0, 3, 4)]
    assert repetitions([9, 1, 1, 2, 1, 1, 2, 7]) == [(1, 3, 2)]
    assert repetitions(list(range(9))) == []
    tree = Tree(made("layers", 96))
    assert [tree.boxes[c].label for c in tree.boxes[tree.root].children if tree.boxes[c].kind == "repeated"] == ["layer × 12 (96)"]


def test_an_svg_is_well_formed_whatever_names_have_in_them() -> None:
    leaves = [Leaf("<x>\x07", ("a&b",), hover='"\ud800"', note="]]>"), Leaf("漢字", ("a&b",), sentence="x < y & z")]
    drawing = Drawing(Diagram("a < b & \x00", leaves, [Arrow(0, 1, "<&</script>")]))
    root = ET.fromstring(drawing.to_svg())
    assert root.tag == f"{SVG}svg"
    assert "</script" not in drawing.to_html().split("<script>")[1].rsplit("</script>", 1)[0]
    texts = [t.text for t in root.iter(f"{SVG}text")]
    assert {"<x>\ufffd", "漢字", "x < y & z", "]]>"} <= set(texts)


def test_a_graph_and_its_gradients() -> None:
    found = graph()
    root = ET.fromstring(found.to_svg())
    texts = [t.text for t in root.iter(f"{SVG}text")]
    assert {"images", "dense × 5 (135)", "Mean", "?×4"} <= set(texts)
    tree = Tree(found._diagram())
    placement = Placement(Arrangement(tree), tree.open_groups(60))
    assert {a.hover.split(" to ")[0] for a in tree.diagram.arrows} >= {"images", "MatMul", "Relu"}
    back = [r for r in placement.routes if tree.boxes[r.start].backward and tree.boxes[r.end].backward]
    assert len(back) > 5
    assert all(placement.rectangles[r.end].x < placement.rectangles[r.start].x for r in back)
    title = next(t.text for g in root.iter(f"{SVG}g") if "source" in g.get("class", "") for t in g.iter(f"{SVG}title"))
    assert title.startswith("images (Placeholder)\ngives images float32 [?,4]\n")
    assert re.search(r"test_pictures.py:\d+ in graph\nh = tf1.placeholder", title)


def test_functions_draw_loops_branches_and_calls() -> None:
    inner = tf.function(lambda t: tf.sin(t) * t)

    @tf.function
    def f(x):
        s = tf.constant(0.0)
        for i in tf.range(3):
            s += inner(x) * tf.cast(i, tf.float32)
        return tf.exp(s) if s > 1.0 else s

    drawing = f.draw(tf.constant(2.0))
    labels = [leaf.label for leaf in drawing.diagram.leaves]
    assert {"x", "Sin", "Exp", "Less", "Greater", "result"} <= set(labels)
    sine = drawing.diagram.leaves[labels.index("Sin")]
    assert sine.scope[-1] == "lambda" and "step" in sine.scope
    ends = {(labels[a.start], labels[a.end]) for a in drawing.diagram.arrows}
    assert {("x", "Sin"), ("Exp", "result"), ("Sin", "Mul")} <= ends
    assert f.get_concrete_function(tf.constant(2.0)).draw().to_svg() == drawing.to_svg()


def test_a_tape_shows_what_it_watches_in_groups_by_function(tmp_path) -> None:
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="kernel")

    def layer(h):
        return tf.tanh(h @ w) + h

    x = tf.ones([1, 2])
    with tf.GradientTape(persistent=True) as tape:
        for _ in range(4):
            x = layer(x)
        y = tf.reduce_sum(x * x)
    root = ET.fromstring(tape.to_svg(tmp_path / "tape.svg"))
    assert (tmp_path / "tape.svg").read_text(encoding="utf-8").startswith("<svg")
    assert {"kernel", "Sum", "2×2"} <= {t.text for t in root.iter(f"{SVG}text")}
    with tf.GradientTape() as once:
        y = w * w
    once.gradient(y, w)
    with pytest.raises(RuntimeError, match="draw it before"):
        once.to_svg()
    assert "GradientTape" in once._repr_html_()


def test_a_gradient_that_breaks_says_so_in_red(tmp_path) -> None:
    v = tf.Variable([1.5, 2.5])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.floor(v) * v * 3.0)
        z = tf.reduce_sum(tf.floor(v * 2.0))
    del y
    found = tf.why(z, v, tape)
    root = ET.fromstring(found.to_svg())
    broken = [g for g in root.iter(f"{SVG}g") if g.get("class") == "broken"]
    assert [next(g.iter(f"{SVG}text")).text for g in broken] == ["Floor"]
    sentence = " ".join(t.text for t in broken[0].iter(f"{SVG}text") if t.get("class") == "sentence")
    assert sentence == found.message
    for page in (found._repr_html_(), found.to_html(tmp_path / "why.html"), (tmp_path / "why.html").read_text(encoding="utf-8")):
        assert re.sub(r"\s+", " ", page).count(found.message) >= 1 and page.count("<svg") == page.count("<pre") == 1


def test_a_variable_of_a_session_is_where_its_gradient_arrives() -> None:
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", [2])
        session.run(w.initializer)
        b = tf1.get_variable("b", [2])
        session.run(b.initializer)
        found = tf.why([tf.sin(w) + b, tf.cos(w)], w)
    labels = [leaf.label for leaf in found._diagram().leaves]
    assert labels[0] == "the variable 'w'" and "b" in labels and labels[-2:] == ["target 0", "target 1"] and "VarHandleOp" not in labels
    assert {labels[a.end] for a in found._diagram().arrows if a.start == 0} == {"ReadVariableOp"}


def test_the_gradient_comes_back_as_wide_as_it_is_large() -> None:
    def f(x):
        return tf.reduce_sum((x * 1e-3) * 1e3 + tf.floor(x))

    found = tf.why(f, tf.constant([1.0, 2.0]))
    drawing = Drawing(found._diagram())
    labels = [leaf.label for leaf in drawing.diagram.leaves]
    norms = {(labels[a.start], labels[a.end]): a.gradient for a in drawing.diagram.arrows}
    assert norms["Mul", "Mul"] == pytest.approx(1414.2, rel=1e-4)
    assert norms["Mul", "AddV2"] == pytest.approx(1.4142, rel=1e-4)
    assert norms[labels[0], "Floor"] is None
    wide = {norms[labels[a.start], labels[a.end]]: drawing._widths.get(i) for i, a in enumerate(drawing.diagram.arrows) if a.gradient}
    assert wide[max(wide)] == 8.0 and 1.0 < wide[min(wide)] < 3.0
    assert 'class="back"' in drawing.to_svg()


def test_nothing_that_draws_is_loaded_before_it_is_asked_for() -> None:
    program = "import pullback as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as t: y = x * x\n"
    program += "t.gradient(y, x)\ntf.function(lambda a: a)(x)\n"
    done = python("-c", program + "import sys; print([m for m in sys.modules if 'pullback.pictures' in m or m.endswith('.picture')])")
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("dtype", [tf.float32, tf.float16, tf.bfloat16, tf.int32, tf.uint8, tf.complex64])
def test_many_numbers_have_a_histogram(dtype) -> None:
    shown = tf.cast(tf.range(100), dtype)._repr_html_()
    root = ET.fromstring(shown)
    assert root[0][0].text == f"tf.Tensor, shape (100,), {dtype.name}"
    assert len(list(root.iter(f"{SVG}rect"))) == 32
    assert "from 0 to 99, mean 49.5" in shown
    assert "<svg" not in tf.constant([1, 2])._repr_html_()


def test_histograms_tell_what_is_not_finite() -> None:
    shown = tf.constant([1.0] * 30 + [2.0, float("nan"), float("inf"), -float("inf")])._repr_html_()
    assert "from 1 to 2" in shown and "1 NaN; 2 infinite" in shown
    assert "30 NaN" in tf.fill([30], float("nan"))._repr_html_()
    assert "<rect" not in tf.ones([30])._repr_html_()


def test_values_of_several_tensors_show_their_parts() -> None:
    def heads(thing: object) -> list[str]:
        return [b.text or "" for b in ET.fromstring(thing._repr_html_()).iter("b")]

    sparse = tf.SparseTensor([[0, 1]], [2.5], [2, 3])
    parts = ["indices, shape (1, 2), int64", "values, shape (1,), float32", "dense_shape, shape (2,), int64"]
    assert heads(sparse) == ["tf.SparseTensor, shape (2, 3)", *parts]
    ragged = tf.ragged.constant([[1.0], [2.0] * 30])
    assert heads(ragged) == ["tf.RaggedTensor, shape (2, None)", "flat_values, shape (31,), float32", "row_splits, shape (3,), int64"]
    assert "<rect" in ragged._repr_html_()
    table = tf.Variable(tf.ones([3, 2]))
    with tf.GradientTape() as tape:
        y = tf.gather(table, [2])
    assert heads(tape.gradient(y, table))[:3] == [
        "tf.IndexedSlices, shape (3, 2)",
        "values, shape (1, 2), float32",
        "indices, shape (1,), int32",
    ]
    with tf1.Graph().as_default():
        assert ET.fromstring(tf.SparseTensor([[0, 1]], [2.5], [2, 3])._repr_html_()).tag == "pre"


def test_values_without_numbers() -> None:
    assert ET.fromstring(tf.constant(["<a>", "b"] * 20)._repr_html_()).find("pre") is not None
    assert "resource" in tf.Variable(1.0).handle._repr_html_()
    variable = ET.fromstring(tf.Variable([[1.0, 2.0]], name="kernel")._repr_html_())
    assert variable[0][0].text == "tf.Variable 'kernel:0', shape (1, 2), float32"
    assert variable[1].text == "[[1. 2.]]"
    with tf1.Graph().as_default():
        assert "kernel" in tf1.get_variable("kernel", [2])._repr_html_()


@pytest.mark.parametrize(("shape", "count"), [((10, 12, 3), 1), ((20, 9, 10, 1), 8), ((600, 10, 4), 1), ((10, 12, 2), 0), ((7, 7, 3), 0)])
@pytest.mark.parametrize("dtype", [tf.uint8, tf.float32])
def test_images_are_shown(shape: tuple[int, ...], count: int, dtype) -> None:
    values = tf.random.stateless_uniform(shape, [1, 2])
    image = tf.cast(values * 255, tf.uint8) if dtype is tf.uint8 else values
    sources = re.findall(r'src="data:image/png;base64,([^"]+)"', image._repr_html_())
    assert len(sources) == count
    for i, source in enumerate(sources):
        back = tf.image.decode_png(base64.b64decode(source))
        right = image if image.shape.rank == 3 else image[i]
        right = right[:: -(-max(shape) // 256)] if max(shape) > 256 else right
        expected = right if dtype is tf.uint8 else tf.cast(tf.round(right * 255), tf.uint8)
        assert back.numpy().tolist() == expected[:, :: -(-max(shape) // 256)].numpy().tolist()
    assert "<img" not in (values - 0.5)._repr_html_()
    widths = re.findall(r"width:(\d+)px", image._repr_html_())
    assert len(widths) == count and all(int(width) >= 80 or shape[-3] > 96 for width in widths)


def test_what_has_no_operations_has_a_picture_too() -> None:
    with tf.GradientTape() as tape:
        pass
    for thing in (tf1.Graph(), tape):
        assert "<svg" in thing._repr_html_()


def test_functions_show_their_newest_trace() -> None:
    function = tf.function(lambda x: tf.tanh(x))
    assert function._repr_html_() == "<pre>&lt;tf.function &#x27;lambda&#x27;&gt;</pre>"
    assert "Tanh" in function.get_concrete_function(tf.constant(1.0))._repr_html_() and "Tanh" in function._repr_html_()


class Formatter:
    """IPython's formatter of HTML, as far as it is used."""

    def __init__(self) -> None:
        self.known: dict[type, Callable[[Any], str | None]] = {}

    def for_type(self, kind: type, function: Callable[[Any], str | None]) -> None:
        self.known[kind] = function


def test_structures_of_tensors_show_themselves_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    formatter = Formatter()
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    notebook.show_structures()
    shown = formatter.known[dict]({"w": [tf.Variable([1.5]), tf.constant(2.5)], "rate": 0.1})
    assert shown is not None
    tree = ET.fromstring(shown)
    assert [s.text for s in tree.iter("summary")] == ["dict of 2", "list of 2"]
    assert {"w", "rate", "0", "1"} <= {b.text for b in tree.iter("b")} and "2.5" in shown and ": 0.1" in shown
    assert formatter.known[list]([tf.constant(i) for i in range(60)]).count("tf.Tensor") == 50
    assert formatter.known[tuple]((1, "a")) is formatter.known[list]([]) is formatter.known[dict]({"a": [1, 2]}) is None
    assert formatter.known[list]([[0] * 2000, tf.constant(1.0)]) is None  # no more is looked through than a moment takes
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    notebook.show_structures()
    notebook.trim_errors()


@pytest.mark.parametrize("given", [False, True])
def test_a_notebook_shows_errors_of_methods_without_frames_of_the_library(given: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def show(exc_tuple: Any = None) -> None:
        trace = exc_tuple[2] if exc_tuple is not None else sys.exc_info()[2]
        shown.extend(frame.filename for frame in traceback.extract_tb(trace))

    shell = SimpleNamespace(showtraceback=show)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    notebook.trim_errors()
    try:
        tf.Variable([1.0]).scatter_add(5)
    except TypeError:
        shell.showtraceback(sys.exc_info() if given else None)
    assert shown == [__file__]
