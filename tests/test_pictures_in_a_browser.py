"""Pictures as a browser shows them: no error in its console, folding works, no words on top of others, light and dark."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import pullback as tf
from pullback.pictures.drawing import Drawing
from tests.test_pictures import graph, made

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on the path (Debian: apt-get install chromium)")

WATCH = """<script>
const errors = [];
window.addEventListener("error", e => errors.push(String(e.message)));
for (const kind of ["error", "warn"]) console[kind] = (...told) => errors.push(told.join(" "));
</script>"""
#: Unfolds everything by clicks, counts what is seen before, then and after all is folded again, and looks for words on top of others.
ACT = """<script>
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
result.titles = [...at.querySelectorAll("g[data-box]:not(.open) > title")].every(t => t.textContent);
for (let open, i = 0; (open = at.querySelector(".fold[aria-expanded=true]")) && i < 5000; i++) click(open);
result.folded = shown();
result.errors = errors;
document.title = "done";
document.body.innerHTML = "<pre>" + JSON.stringify(result).replace(/&/g, "&amp;").replace(/</g, "&lt;") + "</pre>";
</script>"""


def seen(page: str, folder: Path, *flags: str, clicks: int = 5000) -> dict:
    """What the script above finds in a page."""
    path = folder / "page.html"
    act = ACT.replace("5000", str(clicks))
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
    assert (found["overlaps"], found["outside"], found["titles"]) == ([], [], True)


@pytest.mark.parametrize("shape", ["scoped", "layers"])
def test_folding_by_clicks(shape: str, tmp_path) -> None:
    drawing = Drawing(made(shape, 300))
    assert_works(drawing, seen(drawing.to_html(), tmp_path))


def test_a_graph_with_its_gradients(tmp_path) -> None:
    drawing = Drawing(graph()._diagram())
    assert_works(drawing, seen(drawing.to_html(), tmp_path))


def test_light_and_dark(tmp_path) -> None:
    page = tf.function(lambda x: tf.sin(x) * x).draw(2.0).to_html()
    light = seen(page, tmp_path, "--blink-settings=preferredColorScheme=1")
    dark = seen(page, tmp_path, "--blink-settings=preferredColorScheme=0")
    assert light["errors"] == dark["errors"] == []

    def brightness(color: str) -> int:
        return sum(map(int, re.findall(r"\d+", color)[:3]))

    assert brightness(light["background"]) > 700 and brightness(light["ink"]) < 150
    assert brightness(dark["background"]) < 100 and brightness(dark["ink"]) > 600


def test_ten_thousand_operations(tmp_path) -> None:
    drawing = Drawing(made("scoped", 10_000))
    found = seen(drawing.to_html(), tmp_path, clicks=20)
    assert found["errors"] == [] and found["toggled"]
