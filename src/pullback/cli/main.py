"""`pullback run program.py`: run a program that says `import tensorflow`, unchanged.

The program becomes `__main__`, with its own arguments, directory and exit status, and a traceback starts at its own lines.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, TracebackType

from ..base.version import VERSION
from ..diagnose.nans import trace_nans
from ..interop.detect import tensorflow_version
from ..interop.hook import serve
from ..ir.tracebacks import trim


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows the program's name; None takes them from the process.

    Returns:
        The exit status: 0, or 2 for a program that cannot be read.
    """
    options = _parser().parse_args(arguments)
    program = Path(options.program).absolute()
    if program.is_dir():
        program = program / "__main__.py"
    try:
        source = program.read_bytes()
    except OSError as error:
        print(f"pullback: cannot read {options.program}: {error.strerror}", file=sys.stderr)
        return 2
    sys.excepthook = _excepthook(str(program))
    serve(options.tf or tensorflow_version(program))
    with trace_nans() if options.trace_nans else nullcontext():
        run(program, source, [options.program, *options.arguments])
    return 0


def run(program: Path, source: bytes, argv: list[str]) -> None:
    """Run `source` as the main program of this process, whose command line is `argv`."""
    code = compile(source, str(program), "exec", dont_inherit=True)
    module = ModuleType("__main__")
    module.__dict__.update(__file__=str(program), __cached__=None, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    sys.argv = argv
    sys.path[0] = str(program.parent)
    exec(code, module.__dict__)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pullback", description="TensorFlow's gradients without TensorFlow.")
    parser.add_argument("--version", action="version", version=f"pullback {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    about = "Run a program that says `import tensorflow`, unchanged."
    command = commands.add_parser("run", help="run a TensorFlow program", description=about)
    command.add_argument("--tf", type=int, choices=(1, 2), help="the TensorFlow it was written for (default: told by the names it uses)")
    command.add_argument("--trace-nans", action="store_true", help="stop where the first infinity or NaN begins, and say why")
    command.add_argument("program", help="a Python file, or a directory with a __main__.py")
    command.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")
    return parser


def _excepthook(program: str) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Show tracebacks from the program's first line on: the frames that started it are not the program's."""

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        own = trace
        while own is not None and own.tb_frame.f_code.co_filename != program:
            own = own.tb_next
        if own is None and not (isinstance(error, SyntaxError) and error.filename == program):
            own = trace
        trim(error.with_traceback(own))
        sys.__excepthook__(kind, error, error.__traceback__)

    return show
