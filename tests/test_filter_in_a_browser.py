"""The line above the site's long tables, as a browser has it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on the path (Debian: apt-get install chromium)")

FILTER = (Path(__file__).parents[1] / "docs" / "assets" / "filter.js").read_text()
OPERATIONS = Path(__file__).parents[1] / "docs" / "ops.md"
PAGE = """<!doctype html><meta charset="utf-8"><style>:root {color-scheme: light dark} body {background: Canvas; color: CanvasText}</style>
<article>%s</article><script>
const filled = [], document$ = {subscribe: (fill) => {filled.push(fill); fill()}};
%s
filled.forEach((fill) => fill());  // the site calls again when a page is shown again
const told = [...document.querySelectorAll("input")].map((input) => {
  const whole = input.parentElement.nextElementSibling;
  const parts = [...whole.querySelectorAll("tbody tr, li")], shown = {};
  for (const words of %s) {
    input.value = words;
    input.dispatchEvent(new Event("input"));
    shown[words] = parts.filter((part) => part.getBoundingClientRect().height).map((part) => part.textContent.split(" ")[0]);
    shown[words + "#"] = input.nextElementSibling.textContent;
  }
  const style = getComputedStyle(input), body = getComputedStyle(document.body);
  return {label: input.ariaLabel, shown, like: style.color === body.color, ink: style.color};
});
document.body.innerHTML = "<pre>" + JSON.stringify(told) + "</pre>";
</script>"""


def seen(article: str, words: list[str], folder: Path, *flags: str) -> list[dict]:
    """What each line of a page shows for these words."""
    path = folder / "page.html"
    path.write_text(PAGE % (article, FILTER, json.dumps(words)), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder / 'profile'}",
               *flags, "--dump-dom", path.as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    text = re.search(r"<pre>(.*)</pre>", done.stdout, re.DOTALL)
    assert text is not None, done.stdout[:2000] + done.stderr[-2000:]
    return json.loads(text[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def table(rows: list[str]) -> str:
    return "<table><thead><tr><th>name</th></tr></thead><tbody>" + "".join(f"<tr><td>{row}</td></tr>" for row in rows) + "</tbody></table>"


def test_rows_without_the_words_are_hidden(tmp_path: Path) -> None:
    names = re.findall(r"^\| `(\w+)` \|", OPERATIONS.read_text(), re.MULTILINE)
    rows = [f"{name} {'odd' if i % 2 else 'even'}" for i, name in enumerate(names)]
    (found,) = seen(table(rows), ["", "SCATTER odd", "odd scatter", "?"], tmp_path)
    odd = [name for i, name in enumerate(names) if i % 2 and "scatter" in name.lower()]
    assert len(odd) > 5
    assert found["label"] == f"Filter {len(names)} rows: words, in any order"
    assert (found["shown"][""], found["shown"]["#"]) == (names, "")
    assert found["shown"]["SCATTER odd"] == found["shown"]["odd scatter"] == odd
    assert found["shown"]["odd scatter#"] == f"{len(odd)} of {len(names)}"
    assert (found["shown"]["?"], found["shown"]["?#"]) == ([], f"0 of {len(names)}")


def test_long_lists_have_a_line_and_short_ones_none(tmp_path: Path) -> None:
    entries = [f"entry{i} text" for i in range(30)]
    listed = "<ul>" + "".join(f"<li>{entry}</li>" for entry in entries) + "</ul>"
    (found,) = seen(table(["a"] * 9) + listed + "<ul><li>one</li></ul>", ["entry7"], tmp_path)
    assert found["shown"]["entry7"] == ["entry7"]


@pytest.mark.parametrize("scheme", [0, 1], ids=["dark", "light"])
def test_light_and_dark(scheme: int, tmp_path: Path) -> None:
    (found,) = seen(table(["a"] * 10), [], tmp_path, f"--blink-settings=preferredColorScheme={scheme}")
    assert found["like"]
    assert (sum(map(int, re.findall(r"\d+", found["ink"])[:3])) > 600) == (scheme == 0)
