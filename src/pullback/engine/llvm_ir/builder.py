"""A writer of instructions into the blocks of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from .values import (
    Alloca,
    Block,
    Constant,
    Function,
    FunctionType,
    IntType,
    LiteralStructType,
    Module,
    Phi,
    PointerType,
    Switch,
    Type,
    Value,
    VectorType,
    VoidType,
)

#: The signs of comparisons by LLVM's words for them.
COMPARISONS = {"gt": ">", "lt": "<", "eq": "==", "ne": "!=", "ge": ">=", "le": "<="}
_WORDS = {sign: word for word, sign in COMPARISONS.items()}
_BIT, _POINTER = IntType(1), PointerType()
#: How likely the two ways of a branch are.
_LIKELY = {None: "", True: ', !prof !{!"branch_weights", i32 99, i32 1}', False: ', !prof !{!"branch_weights", i32 1, i32 99}'}
Flags = Sequence[str]


class _Arithmetic(Protocol):
    """A method for an instruction of two numbers."""

    def __call__(self, x: Value, y: Value, *, flags: Flags = ...) -> Value: ...


def _instruction(name: str) -> _Arithmetic:
    def write(self: IRBuilder, x: Value, y: Value, *, flags: Flags = ()) -> Value:
        return self.binary(name, x, y, flags=flags)

    return write  # type: ignore[return-value]  # a method of the class that it is put into


def _cast(name: str) -> Callable[[IRBuilder, Value, Type], Value]:
    def write(self: IRBuilder, x: Value, kind: Type) -> Value:
        return x if x.type == kind else self._emit(kind, f"{name} {x} to {kind.text}")

    return write


class IRBuilder:
    """Writes instructions at a place in a block. Methods are named after the instructions and give their results.

    flags: what LLVM may take for granted (`nsw`, `fast`, ...).
    """

    def __init__(self, block: Block | None = None) -> None:
        #: Where in the block the next instruction goes; None for its end.
        self._at: int | None = None
        if block is not None:
            self.position_at_end(block)

    @property
    def function(self) -> Function:
        """The function that is written."""
        return self.block.function

    @property
    def module(self) -> Module:
        """The module that is written."""
        return self.block.function.module

    # ---- where instructions go

    def position_at_end(self, block: Block) -> None:
        """Go on at a block's end."""
        self.block, self._at = block, None

    def position_at_start(self, block: Block) -> None:
        """Go on at a block's start."""
        self.block, self._at = block, 0

    def append_basic_block(self, name: str = "") -> Block:
        """A new last block of the function; writing goes on where it was."""
        return self.block.function.append_basic_block(name)

    @contextmanager
    def goto_block(self, block: Block) -> Iterator[None]:
        """Write at the end of a block, before what leads elsewhere; then go on at the end of the present one."""
        before = self.block
        self.block, self._at = block, len(block.lines) - 1 if block.is_terminated else None
        try:
            yield
        finally:
            self.position_at_end(before)

    def goto_entry_block(self) -> AbstractContextManager[None]:
        """Write at the end of the function's first block."""
        return self.goto_block(self.function.entry_basic_block)

    @contextmanager
    def if_then(self, condition: Value, likely: bool | None = None) -> Iterator[Block]:
        """Write what is done only if a condition holds."""
        inside, after = self.append_basic_block("if"), self.append_basic_block("endif")
        self.cbranch(condition, inside, after, likely)
        with self._until(inside, after):
            yield after
        self.position_at_end(after)

    @contextmanager
    def if_else(
        self, condition: Value, likely: bool | None = None
    ) -> Iterator[tuple[AbstractContextManager[None], AbstractContextManager[None]]]:
        """Write what is done if a condition holds, and what else: two blocks to enter."""
        inside, other, after = (self.append_basic_block(name) for name in ("if", "else", "endif"))
        self.cbranch(condition, inside, other, likely)
        yield self._until(inside, after), self._until(other, after)
        self.position_at_end(after)

    @contextmanager
    def _until(self, block: Block, after: Block) -> Iterator[None]:
        self.position_at_end(block)
        yield
        if not self.block.is_terminated:
            self.branch(after)

    def _add(self, line: str | Phi | Switch) -> None:
        if self._at is None:
            self.block.lines.append(line)
        else:
            self.block.lines.insert(self._at, line)
            self._at += 1

    def _name(self) -> str:
        function = self.block.function
        function.named += 1
        return f"%.{function.named}"

    def _emit(self, kind: Type, text: str) -> Value:
        """The result of an instruction, which is written."""
        name = self._name()
        self._add(f"{name} = {text}")
        return Value(kind, name, self.block)

    def _end(self, line: str | Switch) -> None:
        assert not self.block.is_terminated, line
        self._add(line)
        self.block.is_terminated = True

    # ---- arithmetic

    def binary(self, name: str, x: Value, y: Value, *, flags: Flags = ()) -> Value:
        """An instruction of two numbers, by its name."""
        said = f"{name} {' '.join(flags)}" if flags else name
        return self._emit(x.type, f"{said} {x.type.text} {x.ref}, {y.ref}")

    # Integers: sums, products, quotients rounded towards zero and what they leave, without a sign (u) and with one (s).
    add, sub, mul = _instruction("add"), _instruction("sub"), _instruction("mul")
    udiv, sdiv, urem, srem = _instruction("udiv"), _instruction("sdiv"), _instruction("urem"), _instruction("srem")
    # Bits moved up, and down with zeros or the sign after them; those that both have, one of both, only one.
    shl, lshr, ashr = _instruction("shl"), _instruction("lshr"), _instruction("ashr")
    and_, or_, xor = _instruction("and"), _instruction("or"), _instruction("xor")
    # Floats; a remainder has the sign of x.
    fadd, fsub, fmul = _instruction("fadd"), _instruction("fsub"), _instruction("fmul")
    fdiv, frem = _instruction("fdiv"), _instruction("frem")

    def fneg(self, x: Value, *, flags: Flags = ()) -> Value:
        """-x of floats."""
        return self._emit(x.type, f"fneg {' '.join([*flags, x.type.text])} {x.ref}")

    def freeze(self, x: Value) -> Value:
        """x, with which LLVM merges nothing that is made of it."""
        return self._emit(x.type, f"freeze {x.type.text} {x.ref}")

    def not_(self, x: Value) -> Value:
        """All bits turned over."""
        ones = x.type([-1] * x.type.count) if isinstance(x.type, VectorType) else x.type(-1)
        return self.xor(x, ones)

    def neg(self, x: Value) -> Value:
        """An integer's negative."""
        return self.sub(x.type(None), x)

    # ---- comparing and choosing

    def _compare(self, name: str, x: Value, y: Value) -> Value:
        kind = VectorType(_BIT, x.type.count) if isinstance(x.type, VectorType) else _BIT
        return self._emit(kind, f"{name} {x.type.text} {x.ref}, {y.ref}")

    def icmp_signed(self, how: str, x: Value, y: Value) -> Value:
        """Integers compared: how is `<`, `<=`, `==`, `!=`, `>=` or `>`."""
        return self._compare(f"icmp {'' if how in ('==', '!=') else 's'}{_WORDS[how]}", x, y)

    def icmp_unsigned(self, how: str, x: Value, y: Value) -> Value:
        """Integers without a sign, or places, compared; how is as `icmp_signed` has it."""
        return self._compare(f"icmp {'' if how in ('==', '!=') else 'u'}{_WORDS[how]}", x, y)

    def fcmp_ordered(self, how: str, x: Value, y: Value) -> Value:
        """False where one is NaN."""
        return self._compare(f"fcmp {'o' + _WORDS[how] if how in _WORDS else how}", x, y)

    def fcmp_unordered(self, how: str, x: Value, y: Value) -> Value:
        """True where one is NaN."""
        return self._compare(f"fcmp {'u' + _WORDS[how] if how in _WORDS else how}", x, y)

    def select(self, condition: Value, x: Value, y: Value) -> Value:
        """x where a condition holds, else y."""
        return self._emit(x.type, f"select {condition}, {x}, {y}")

    def phi(self, kind: Type) -> Phi:
        """A value that is said later, block by block."""
        made = Phi(self.block, self._name(), kind)
        self._add(made)
        return made

    # ---- casts: the value itself where it has the type already

    # The lowest bits of an integer, and a wider one without a sign (z) and with one (s); narrower and wider floats; the same bits.
    trunc, zext, sext = _cast("trunc"), _cast("zext"), _cast("sext")
    fptrunc, fpext, bitcast = _cast("fptrunc"), _cast("fpext"), _cast("bitcast")
    # Floats as integers and back, without a sign (u) and with one (s); places as integers and back.
    fptoui, fptosi, uitofp, sitofp = _cast("fptoui"), _cast("fptosi"), _cast("uitofp"), _cast("sitofp")
    ptrtoint, inttoptr = _cast("ptrtoint"), _cast("inttoptr")

    # ---- memory

    def alloca(self, kind: Type, size: int | Value | None = None) -> Alloca:
        """Memory of the function for so many values, one when None."""
        if isinstance(size, int):
            size = IntType(32)(size)
        made = Alloca(self.block, self._name(), kind)
        self._add(f"{made.ref} = alloca {kind.text}" + ("" if size is None else f", {size}"))
        return made

    def load(self, place: Value, align: int | None = None, typ: Type | None = None) -> Value:
        """What lies at a place; typ: its type, where the place does not say it."""
        kind = typ or place.pointee
        assert kind is not None, "what is loaded?"
        return self._emit(kind, f"load {kind.text}, ptr {place.ref}" + (f", align {align}" if align else ""))

    def store(self, value: Value, place: Value, align: int | None = None) -> None:
        """Write a value to a place."""
        self._add(f"store {value.type.text} {value.ref}, ptr {place.ref}" + (f", align {align}" if align else ""))

    def gep(self, place: Value, indices: Sequence[Value], inbounds: bool = False, source_etype: Type | None = None) -> Value:
        """A place counted from another: in elements of a type, then in members of that."""
        source = source_etype or place.pointee
        assert source is not None, "elements of which type?"
        words = "getelementptr inbounds" if inbounds else "getelementptr"
        made = self._emit(_POINTER, f"{words} {source.text}, ptr {place.ref}, {', '.join([f'{i.type.text} {i.ref}' for i in indices])}")
        if source_etype is None:
            for index in indices[1:]:
                source = source.element_at(index)
            made.pointee = source
        return made

    def atomic_rmw(self, name: str, place: Value, value: Value, ordering: str) -> Value:
        """Change what lies at a place; gives what was there."""
        return self._emit(value.type, f"atomicrmw {name} ptr {place.ref}, {value} {ordering}")

    def cmpxchg(self, place: Value, old: Value, new: Value, ordering: str, failing: str) -> Value:
        """Put `new` in the place of `old`; gives what was there, and whether it was done."""
        return self._emit(LiteralStructType([old.type, _BIT]), f"cmpxchg ptr {place.ref}, {old}, {new} {ordering} {failing}")

    # ---- parts of values

    def extract_element(self, vector: Value, index: Value) -> Value:
        """One number of a vector."""
        assert isinstance(vector.type, VectorType)
        return self._emit(vector.type.element, f"extractelement {vector}, {index}")

    def insert_element(self, vector: Value, value: Value, index: Value) -> Value:
        """A vector with another number at an index."""
        return self._emit(vector.type, f"insertelement {vector}, {value}, {index}")

    def shuffle_vector(self, x: Value, y: Value, mask: Value) -> Value:
        """A vector of elements of two others, by their positions."""
        assert isinstance(x.type, VectorType)
        assert isinstance(mask.type, VectorType)
        return self._emit(VectorType(x.type.element, mask.type.count), f"shufflevector {x}, {y}, {mask}")

    def extract_value(self, whole: Value, index: int) -> Value:
        """A member of a structure."""
        return self._emit(whole.type.element_at(Constant(IntType(32), index)), f"extractvalue {whole}, {index}")

    def insert_value(self, whole: Value, value: Value, index: int) -> Value:
        """A structure with another member."""
        return self._emit(whole.type, f"insertvalue {whole}, {value}, {index}")

    # ---- going elsewhere

    def call(self, function: Function | Value, args: Sequence[Value], kind: FunctionType | None = None, fastmath: Flags = ()) -> Value:
        """Call a function, or what a pointer leads to; kind: what that takes and gives."""
        if isinstance(function, Function):
            kind = function.function_type
        assert kind is not None, "what is called?"
        gives = kind.return_type
        words = " ".join(["call", *fastmath])
        said = f"{words} {kind.called} {function.ref}({', '.join([f'{arg.type.text} {arg.ref}' for arg in args])})"
        if not isinstance(gives, VoidType):
            return self._emit(gives, said)
        self._add(said)
        return Value(gives, "", self.block)

    def branch(self, target: Block) -> None:
        """Go to a block."""
        self._end(f"br label {target.ref}")

    def cbranch(self, condition: Value, then: Block, otherwise: Block, likely: bool | None = None) -> None:
        """Go to one of two blocks."""
        self._end(f"br i1 {condition.ref}, label {then.ref}, label {otherwise.ref}{_LIKELY[likely]}")

    def switch(self, value: Value, default: Block) -> Switch:
        """Go to one of several blocks, which are said later."""
        made = Switch(value, default)
        self._end(made)
        return made

    def ret(self, value: Value) -> None:
        """Return a value."""
        self._end(f"ret {value}")

    def ret_void(self) -> None:
        """Return."""
        self._end("ret void")
