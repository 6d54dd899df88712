"""Pictures as a browser shows them: no error in its console, folding works, no words on top of others, light and dark."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.pictures.diagram import Diagram
from pullback.pictures.drawing import Drawing
from tests.test_pictures import graph, made, nested

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on the path (Debian: apt-get install chromium)")

WATCH = """<script>
const errors = [];
window.addEventListener("error", e => errors.push(String(e.message)));
for (const kind of ["error", "warn"]) console[kind] = (...told) => errors.push(told.join(" "));
</script>"""
#: Unfolds everything by clicks, counts what is seen before, then and after all is folded again, and looks for words on top of others.
ACT = r"""<script>
const at = document.querySelector("svg.pullback");
const parts = () => [...at.querySelectorAll("g[data-box], path:not(defs path)")].map(e => e.tagName === "path" ? e.getAttribute("d") :
  e.dataset.box + " " + e.getAttribute("class") + " " + [...e.querySelectorAll("text")].map(t => t.textContent).join("|"));
const shown = () => at.querySelectorAll("g[data-box]:not(.open)").length;
const click = e => e.dispatchEvent(new MouseEvent("click", {bubbles: true}));
const sample = at.querySelector(".fold");
const result = {first: parts(), shown: shown(), background: getComputedStyle(at).backgroundColor};
result.ink = getComputedStyle(at.querySelector("text")).fill;
if (sample) {
  const box = sample.dataset.box, again = () => at.querySelector(`[data-box="${box}"]`);
  click(again());
  result.toggled = again().getAttribute("aria-expanded") !== sample.getAttribute("aria-expanded");
  again().dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
  result.back = parts();
}
for (let folded, i = 0; (folded = at.querySelector(".fold[aria-expanded=false]")) && i < 5000; i++) click(folded.querySelector("rect"));
result.unfolded = shown();
const words = [...at.querySelectorAll("text")].map(t => [t.getBBox(), t.textContent]).sort((a, b) => a[0].x - b[0].x);
result.overlaps = [];
words.forEach(([a, told], i) => {
  for (let j = i + 1; j < words.length && words[j][0].x < a.x + a.width; j++) {
    const b = words[j][0], high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
    if (high > 4 && Math.min(a.x + a.width, b.x + b.width) - b.x > 1) result.overlaps.push([told, words[j][1]]);
  }
});
result.outside = [...at.querySelectorAll("g[data-box]:not(.open)")].filter(g => {
  const text = g.querySelector("text").getBBox(), rect = g.querySelector("rect").getBBox();
  return text.x + text.width > rect.x + rect.width;
}).map(g => g.textContent);
// Points along the arrows that are in words, or in a box that the arrow does not lead from or to.
const boxed = [...at.querySelectorAll("g[data-box]:not(.open) > rect")].map(r => [r.getBBox(), r.nextElementSibling.textContent]);
result.crossed = [];
for (const path of at.querySelectorAll("path:not(defs path)")) {
  if (getComputedStyle(path).visibility === "hidden") continue;
  const length = path.getTotalLength();
  for (let s = 10; s < length - 10; s += 4) {
    const {x, y} = path.getPointAtLength(s), within = b => x > b.x + 1 && x < b.x + b.width - 1 && y > b.y + 1 && y < b.y + b.height - 1;
    const hit = [...words, ...boxed].find(([b]) => within(b));
    if (hit) { result.crossed.push([hit[1], path.textContent]); break; }
  }
}
// Words whose colour is too near to what is behind them (WCAG asks for a contrast of 4.5).
const light = color => color.match(/[\d.]+/g).slice(0, 3).map(c => c / 255)
  .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
result.faint = [...at.querySelectorAll("text")].filter(t => {
  const rect = t.classList.contains("label") && t.parentNode.querySelector("rect");
  const [a, b] = [getComputedStyle(t).fill, getComputedStyle(rect || at.querySelector(".paper")).fill].map(light).sort((a, b) => b - a);
  return (a + 0.05) / (b + 0.05) < 4.5;
}).map(t => t.textContent);
result.titles = [...at.querySelectorAll("g[data-box]:not(.open) > title")].every(t => t.textContent);
for (let open, i = 0; (open = at.querySelector(".fold[aria-expanded=true]")) && i < 5000; i++) click(open);
result.folded = shown();
result.errors = errors;
document.title = "done";
document.body.innerHTML = "<pre>" + JSON.stringify(result).replace(/&/g, "&amp;").replace(/</g, "&lt;") + "</pre>";
</script>"""


#: Points at a box, and counts the arrows to and from the way back that are seen.
POINT = """
const arrows = [...at.querySelectorAll(".across")], visible = () => arrows.filter(a => getComputedStyle(a).visibility === "visible").length;
result.before = visible();
result.all = arrows.length;
at.querySelector(`[data-box="${arrows[0].dataset.ends.split(" ")[0]}"]`).dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
result.after = visible();
"""


def seen(page: str, folder: Path, *flags: str, clicks: int = 5000, act: str = ACT) -> dict:
    """What the script above finds in a page."""
    path = folder / "page.html"
    act = act.replace("5000", str(clicks))
    path.write_text(page.replace("<head>", "<head>" + WATCH).replace("</body>", act + "</body>"), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder / 'profile'}",
               *flags, "--dump-dom", path.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    text = re.search(r"<pre>(.*)</pre>", done.stdout, re.DOTALL)
    assert text is not None, done.stdout[:2000] + done.stderr[-2000:]
    return json.loads(text[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def assert_works(drawing: Drawing, found: dict) -> None:
    assert found["errors"] == []
    assert found["toggled"]
    assert sorted(found["back"]) == sorted(found["first"])  # the page places and draws as the SVG that it began with
    assert found["unfolded"] == len(drawing.diagram.leaves)
    assert found["folded"] == len(drawing._arrangement.tree.boxes[drawing._arrangement.tree.root].children) <= found["shown"]
    assert_readable(found)


def assert_readable(found: dict) -> None:
    assert (found["errors"], found["overlaps"], found["crossed"], found["outside"], found["faint"]) == ([], [], [], [], [])
    assert found["titles"]


def way_back() -> tf.Why:
    w = tf.Variable([0.5, -1.0], name="w")
    with tf.GradientTape() as tape:
        score = tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], w)
        loss = tf.reduce_mean(tf.nn.relu(score)) + tf.reduce_sum(w * w) + tf.reduce_sum(tf.floor(w) * 3.0)
    return tf.why(loss, w, tape)


def cut() -> tf.Why:
    w = tf.Variable([0.5, -1.0], name="w")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.floor(tf.tanh(w)) * 3.0) + tf.reduce_sum(tf.stop_gradient(w * 2.0))
    return tf.why(loss, w, tape)


class Network(tf.Module):
    """Twelve layers that are alike, with what is left of one added to the next."""

    def __init__(self) -> None:
        self.kernels = [tf.Variable(tf.ones([8, 8]), name=f"kernel_{i}") for i in range(12)]

    def __call__(self, h: tf.Tensor) -> tf.Tensor:
        for i, kernel in enumerate(self.kernels):
            with tf.name_scope(f"layer_{i}"):
                q = tf.matmul(h, kernel)
                h += tf.nn.gelu(q - tf.reduce_mean(q, -1, keepdims=True))
        return tf.reduce_mean(h)


@tf.function
def loop_and_branch(x: tf.Tensor) -> tf.Tensor:
    s = tf.constant(0.0)
    for i in tf.range(3):
        s += tf.reduce_sum(tf.sin(x)) * tf.cast(i, tf.float32)
    if s > 1.0:
        s = tf.exp(s)
    return s * 2.0


def unrolled() -> Drawing:
    network = Network()
    return tf.function(lambda h: network(h)).draw(tf.ones([4, 8]))


def recorded() -> tf.GradientTape:
    network = Network()
    with tf.GradientTape(persistent=True) as tape:
        network(tf.ones([4, 8]))
    return tape


def trained() -> tf1.Graph:
    with tf1.Graph().as_default() as found:
        h = tf1.placeholder(tf.float32, [None, 4], name="images")
        for i in range(2):
            with tf1.variable_scope(f"dense_{i}"):
                h = tf.nn.relu(tf.matmul(h, tf1.get_variable("kernel", [4, 4])) + tf1.get_variable("bias", [4]))
        tf1.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(h * h))
    return found


def engine() -> tf.GradientTape:
    @tf.function(jit_compile=True)
    def step(x: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        with tf.GradientTape() as tape:
            tape.watch(w)
            y = tf.reduce_mean(tf.nn.softmax(tf.matmul(tf.nn.relu(tf.matmul(x, w)), tf.transpose(w))))
        return y, tape.gradient(y, w)

    return step.explain(tf.ones([8, 16]), tf.ones([16, 16]))


def called() -> Drawing:
    return loop_and_branch.draw([1.0, 2.0])


def body() -> tf1.Operation:
    graph = loop_and_branch.get_concrete_function(tf.constant([1.0])).graph
    return next(op.attrs["body"] for op in graph.get_operations() if op.type == "While")


READ: dict[Callable[[], Any], str] = {
    way_back: "dark", cut: "light", called: "dark", unrolled: "light", recorded: "dark", trained: "light", engine: "dark", body: "light",
}  # fmt: skip


@pytest.mark.parametrize("make", READ)
def test_pictures_can_be_read(make: Callable[[], Any], tmp_path: Path) -> None:
    found = seen(make().to_html(), tmp_path, f"--blink-settings=preferredColorScheme={int(READ[make] == 'light')}", clicks=60)
    assert_readable(found)


def test_arrows_to_the_way_back_show_under_the_pointer(tmp_path: Path) -> None:
    found = seen(trained().to_html(), tmp_path, clicks=2, act=ACT.replace("if (sample)", POINT + "if (sample)"))
    assert found["before"] == 0 < found["after"] < found["all"]


@pytest.mark.parametrize("diagram", [made("scoped", 300), made("layers", 300), nested(23), nested(44)], ids=lambda made: made.title)
def test_folding_by_clicks(diagram: Diagram, tmp_path: Path) -> None:
    drawing = Drawing(diagram)
    assert_works(drawing, seen(drawing.to_html(), tmp_path))


def test_a_graph_with_its_gradients(tmp_path) -> None:
    drawing = Drawing(graph()._diagram())
    assert_works(drawing, seen(drawing.to_html(), tmp_path))


def test_light_and_dark(tmp_path) -> None:
    page = cut().to_html()
    light = seen(page, tmp_path, "--blink-settings=preferredColorScheme=1")
    dark = seen(page, tmp_path, "--blink-settings=preferredColorScheme=0")
    assert (light["errors"], light["faint"]) == (dark["errors"], dark["faint"]) == ([], [])

    def brightness(color: str) -> int:
        return sum(map(int, re.findall(r"\d+", color)[:3]))

    assert brightness(light["background"]) > 700 and brightness(light["ink"]) < 150
    assert brightness(dark["background"]) < 100 and brightness(dark["ink"]) > 600


def test_ten_thousand_operations(tmp_path) -> None:
    drawing = Drawing(made("scoped", 10_000))
    found = seen(drawing.to_html(), tmp_path, clicks=20)
    assert found["errors"] == [] and found["toggled"]
