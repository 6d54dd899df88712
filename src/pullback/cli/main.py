"""`pullback run program.py`: run a program that says `import tensorflow`, unchanged; and `pullback stubs`, its types for editors.

The program becomes `__main__`, with its own arguments, directory and exit status, and a traceback starts at its own lines.
"""

from __future__ import annotations

import argparse
import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import TracebackType

from ..base.version import VERSION
from ..diagnose.nans import trace_nans
from ..interop.hook import VARIABLE, serve_tensorflow
from ..interop.stubs import remove_stubs, write_stubs
from ..ir.tracebacks import trim
from .launch import launch
from .program import Program, file_program, module_program, text_program


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows the program's name; None takes them from the process.

    Returns:
        The exit status: 0, 1 for a module that is not there, or 2 for a program that cannot be read; with `--mpi` that of the processes.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "stubs":
        return _write_stubs(options)
    if not (options.m or options.c or options.program):
        options.error("what to run is missing: a program, -m module or -c code")
    if options.restarts and not options.mpi:
        options.error("--restarts goes with --mpi")
    if options.mpi:
        return launch(_command_of(options), options.mpi, options.restarts)
    try:
        program, rest = _program(options)
    except OSError as error:
        print(f"pullback: cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"pullback: {error}", file=sys.stderr)
        return 1
    sys.excepthook = _excepthook(program.path)
    version = options.tf or program.version()
    os.environ[VARIABLE] = str(version)  # for the processes that the program starts
    serve_tensorflow(version)
    with trace_nans() if options.trace_nans else nullcontext():
        program.run(rest)
    return 0


def _write_stubs(options: argparse.Namespace) -> int:
    """Write the types of `import tensorflow`, or remove them."""
    folder = Path(options.to or sysconfig.get_path("purelib"))
    try:
        if options.remove:
            remove_stubs(folder)
        else:
            print(write_stubs(folder, options.tf))
    except OSError as error:
        print(f"pullback: {error}", file=sys.stderr)
        return 2
    return 0


def _program(options: argparse.Namespace) -> tuple[Program, list[str]]:
    """The program that a command line names, and its arguments."""
    kinds = (options.m, module_program), (options.c, text_program), (options.program, file_program)
    words, kind = next(pair for pair in kinds if pair[0])
    return kind(words[0]), words[1:]


def _command_of(options: argparse.Namespace) -> list[str]:
    """The command line of each process of a program that runs in several."""
    face = ["--tf", str(options.tf)] if options.tf else []
    traced = ["--trace-nans"] if options.trace_nans else []
    words = ["-m", *options.m] if options.m else ["-c", *options.c] if options.c else options.program
    return [sys.executable, "-m", "pullback", "run", *face, *traced, *words]


def _count(text: str) -> int:
    count = int(text)
    if count < 0:
        raise argparse.ArgumentTypeError(f"{count} is below 0")
    return count


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pullback", description="TensorFlow's gradients without TensorFlow.")
    parser.add_argument("--version", action="version", version=f"pullback {VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    about = "Run a program that says `import tensorflow`, unchanged. What follows the program are its own arguments."
    usage = "pullback run [-h] [--tf {1,2}] [--trace-nans] [--mpi N [--restarts N]] (program | -m module | -c code) [argument ...]"
    command = commands.add_parser("run", help="run a TensorFlow program", description=about, usage=usage)
    command.set_defaults(error=command.error)
    command.add_argument("--tf", type=int, choices=(1, 2), help="the TensorFlow it was written for (default: told by the names it uses)")
    command.add_argument("--trace-nans", action="store_true", help="stop where the first infinity or NaN begins, and say why")
    command.add_argument("--mpi", type=_count, default=0, metavar="N", help="run it in N processes on this machine (pullback[mpi])")
    command.add_argument("--restarts", type=_count, default=0, metavar="N", help="with --mpi: start it again up to N times if it fails")
    command.add_argument("-m", nargs=argparse.REMAINDER, metavar="module", help="run a module, as python -m does")
    command.add_argument("-c", nargs=argparse.REMAINDER, metavar="code", help="run a text, as python -c does")
    named = command.add_argument("program", nargs=argparse.PARSER, help="a Python file, or a directory with a __main__.py")
    named.required = False
    about = "Write what editors and type checkers read where a program says `import tensorflow`: a package tensorflow-stubs."
    command = commands.add_parser("stubs", help="let editors and type checkers know `import tensorflow`", description=about)
    command.add_argument("--tf", type=int, choices=(1, 2), default=2, help="the TensorFlow that programs are written for (default: 2)")
    command.add_argument("--to", metavar="folder", help="where (default: among the packages of this Python)")
    command.add_argument("--remove", action="store_true", help="remove it again")
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
