"""The built site in a browser: its search finds the page that a question needs, and its long tables can be filtered."""

import ast
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
SITE = Path(os.environ.get("PULLBACK_SITE") or Path(__file__).parents[1] / "site")
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no chromium on the path (Debian: apt-get install chromium)"),
    pytest.mark.skipif(not (SITE / "search" / "search_index.json").exists(), reason="the site is not built (make site)"),
]

# The page that asks: it has the site in a frame, does in it what a reader does, and tells what it sees.
PAGE = """<!doctype html><meta charset="utf-8"><iframe width="1200" height="900" src="%s"></iframe><script>
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const until = async (ready) => { for (let i = 0; i < 300; i++) { if (ready()) return; await pause(100); } };
const tell = (found) => fetch("/told", {method: "POST", body: JSON.stringify(found)});
const frame = document.querySelector("iframe");
const type = (input, words, event) => {
  input.focus(); input.value = words; input.dispatchEvent(new frame.contentWindow.Event(event, {bubbles: true}));
};
frame.addEventListener("load", async () => {
  const page = frame.contentDocument;
  try { await tell(await (async () => { %s })()); } catch (error) { await tell(String(error)); }
});
</script>"""

SEARCH = """
const input = page.querySelector("[data-md-component=search-query]");
const links = () => [...page.querySelectorAll(".md-search-result__list > li > a, .md-search-result__list > li > details > a, "
  + ".md-search-result__list > li > .md-search-result__link")].map((link) => new URL(link.href).pathname);
await pause(500);
let previous = "";
for (let i = 0; i < 100; i++) {
  type(input, %s, "keyup");
  await pause(300);
  const now = links().join();
  if (now && now === previous) break;
  previous = now;
}
return links();"""

FILTER = """
const lines = () => [...page.querySelectorAll("article input[type=search]")];
await until(() => lines().length);
const parts = (input) => [...input.parentElement.nextElementSibling.querySelectorAll("tbody tr, li")];
const input = lines().sort((a, b) => parts(b).length - parts(a).length)[0], rows = parts(input);
type(input, %s, "input");
return [rows.length, rows.filter((row) => row.getBoundingClientRect().height).map((row) => row.textContent)];"""


COPIED = """
const sessions = () => [...page.querySelectorAll("[data-copy]")];
await until(() => sessions().length);
return sessions().map((session) => session.dataset.copy);"""


class Server(SimpleHTTPRequestHandler):
    page = ""
    told: "queue.Queue[Any]"

    def do_GET(self) -> None:
        if self.path != "/ask":
            super().do_GET()
            return
        body = self.page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        type(self).told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Callable[[str, str], Any]]:
    """What a page of the site answers to a script."""
    handler = type("Asked", (Server,), {"told": queue.Queue()})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def answer(page: str, script: str) -> Any:
            handler.page = PAGE % (page, script)
            command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
                       f"--user-data-dir={tmp_path / 'profile'}", f"http://127.0.0.1:{server.server_port}/ask"]  # fmt: skip
            browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return handler.told.get(timeout=90)
            finally:
                browser.terminate()
                browser.wait(timeout=20)

        yield answer
        server.shutdown()


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("per-example gradients", {"/first/per_example/"}),
        ("stop_gradient", {"/which-function/", "/faq/", "/reference/tf/"}),
        ("NaN", {"/first/nan/", "/tutorials/nan_hunt/"}),
        ("hessian", {"/first/hessian/", "/tutorials/hessians/"}),
    ],
)
def test_search_finds_the_page(words: str, pages: set[str], ask: Callable[[str, str], Any]) -> None:
    found = ask("/index.html", SEARCH % json.dumps(words))
    assert isinstance(found, list), found
    print(words, found[:10])
    assert pages & set(found[:5]), found[:10]


@pytest.mark.parametrize(("page", "words"), [("/ops/", "softplus"), ("/coverage/", "softplus"), ("/names/", "saved_model")])
def test_generated_tables_are_filtered(page: str, words: str, ask: Callable[[str, str], Any]) -> None:
    all_rows, shown = ask(page, FILTER % json.dumps(words))
    print(page, all_rows, shown)
    assert all_rows > len(shown) > 0
    assert all(words in row.lower() for row in shown)


@pytest.mark.parametrize("page", ["start", "which-function"])
def test_the_button_beside_a_session_copies_a_program(page: str, ask: Callable[[str, str], Any]) -> None:
    copied = ask(f"/{page}/index.html", COPIED)
    assert len(copied) >= 4
    lines = ast.unparse(ast.parse("\n".join(copied))).splitlines()
    assert "import pullback as tf" in lines and not [line for line in lines if line.startswith(("[", "..."))]
