"""Types, constants, and what a module holds: functions with their blocks, and global variables."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, ClassVar


class Type:
    """A type, equal to others of its class with the same text.

    text: as LLVM writes it.  null: as LLVM writes its zero.  mangled: as the names of LLVM's intrinsics have it.
    """

    null = "zeroinitializer"
    mangled = ""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and other.text == self.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __call__(self, value: Any) -> Constant:
        return Constant(self, value)

    def format_constant(self, value: Any) -> str:
        """A constant of this type, without the type."""
        raise NotImplementedError(f"constants of {self}")

    def element_at(self, index: Value) -> Type:
        """The type of a member, by its position."""
        raise TypeError(f"{self} has no members")


class VoidType(Type):
    """What functions give that give nothing."""

    def __init__(self) -> None:
        super().__init__("void")


class PointerType(Type):
    """An address."""

    null = "null"

    def __init__(self) -> None:
        super().__init__("ptr")


class IntType(Type):
    """Integers of so many bits."""

    null = "0"

    def __init__(self, width: int) -> None:
        super().__init__(f"i{width}")
        self.width, self.mangled = width, self.text

    def format_constant(self, value: Any) -> str:
        """A number, or a truth value where there is one bit."""
        return str(int(value)) if self.width > 1 else "true" if value else "false"


class _FloatingType(Type):
    """Floating point numbers: constants are written as the bits of a double."""

    null = "0.0"
    _named: ClassVar[tuple[str, str, str]]

    def __init__(self) -> None:
        super().__init__(self._named[0])
        self.mangled, self._format = self._named[1:]

    def format_constant(self, value: Any) -> str:
        (rounded,) = struct.unpack(self._format, struct.pack(self._format, value))
        return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016x}"


class HalfType(_FloatingType):
    """float16."""

    _named = ("half", "f16", "<e")


class FloatType(_FloatingType):
    """float32."""

    _named = ("float", "f32", "<f")


class DoubleType(_FloatingType):
    """float64."""

    _named = ("double", "f64", "<d")


class _SequenceType(Type):
    """So many elements of one type."""

    _brackets: ClassVar[str]

    def __init__(self, element: Type, count: int) -> None:
        super().__init__(f"{self._brackets[0]}{count} x {element}{self._brackets[1]}")
        self.element, self.count = element, count

    def format_constant(self, value: Any) -> str:
        if isinstance(value, (bytes, bytearray)):
            return 'c"' + "".join(f"\\{byte:02x}" for byte in value) + '"'
        items = [item if isinstance(item, Value) else self.element(item) for item in value]
        return f"{self._brackets[0]}{', '.join([f'{item.type} {item.ref}' for item in items])}{self._brackets[1]}"

    def element_at(self, index: Value) -> Type:
        return self.element


class ArrayType(_SequenceType):
    """An array in memory."""

    _brackets = "[]"


class VectorType(_SequenceType):
    """A vector, for registers."""

    _brackets = "<>"

    def __init__(self, element: Type, count: int) -> None:
        super().__init__(element, count)
        self.mangled = f"v{count}{element.mangled}"


class LiteralStructType(Type):
    """Members of several types."""

    def __init__(self, elements: Sequence[Type]) -> None:
        self.elements = tuple(elements)
        super().__init__(f"{{{', '.join([element.text for element in self.elements])}}}")

    def format_constant(self, value: Any) -> str:
        """A constant's members, each with its type."""
        items = [item if isinstance(item, Value) else kind(item) for kind, item in zip(self.elements, value, strict=True)]
        return f"{{{', '.join(map(str, items))}}}"

    def element_at(self, index: Value) -> Type:
        """The type of a member; its index is a constant."""
        assert isinstance(index, Constant)
        return self.elements[int(index.constant)]


class FunctionType(Type):
    """What a function takes and gives."""

    def __init__(self, return_type: Type, args: Sequence[Type], var_arg: bool = False) -> None:
        self.return_type, self.args, self.var_arg = return_type, tuple(args), var_arg
        super().__init__(f"{return_type} ({', '.join([*[arg.text for arg in self.args], *['...'] * var_arg])})")
        #: How calls name it.
        self.called = self.text if var_arg else return_type.text


class Value:
    """What an instruction takes or gives.

    ref: how other instructions name it.  block: where it was computed.  pointee: for some addresses, the type of what is there.
    """

    pointee: Type | None = None

    def __init__(self, kind: Type, ref: str, block: Block | None = None) -> None:
        self.type, self.ref, self.block = kind, ref, block

    def __str__(self) -> str:
        return f"{self.type.text} {self.ref}"


class Alloca(Value):
    """Memory of a function."""

    def __init__(self, block: Block, ref: str, kind: Type) -> None:
        super().__init__(_POINTER, ref, block)
        self.pointee = self.allocated_type = kind


class Phi(Value):
    """A value that depends on the block one comes from. `incomings`: the values, with their blocks."""

    block: Block

    def __init__(self, block: Block, ref: str, kind: Type) -> None:
        super().__init__(kind, ref, block)
        self.incomings: list[tuple[Value, Block]] = []

    def add_incoming(self, value: Value, block: Block) -> None:
        """Say what the value is for those who come from a block."""
        self.incomings.append((value, block))

    def line(self) -> str:
        """The instruction."""
        return f"{self.ref} = phi {self.type.text} {', '.join([f'[{value.ref}, {block.ref}]' for value, block in self.incomings])}"


class Switch:
    """A jump to one of several blocks."""

    def __init__(self, value: Value, default: Block) -> None:
        self.value, self.default = value, default
        self.cases: list[tuple[Constant, Block]] = []

    def add_case(self, value: Constant, block: Block) -> None:
        """Say where a value leads."""
        self.cases.append((value, block))

    def line(self) -> str:
        """The instruction."""
        cases = " ".join([f"{value}, label {block.ref}" for value, block in self.cases])
        return f"switch {self.value}, label {self.default.ref} [{cases}]"


class _Undefined:
    """Bits that may be anything."""


Undefined = _Undefined()


class Constant(Value):
    """A constant: of `value`, zero where that is None, or anything where it is `Undefined`."""

    def __init__(self, kind: Type, value: Any) -> None:
        self.type, self.constant, self.block = kind, value, None
        self.ref = kind.null if value is None else "undef" if value is Undefined else kind.format_constant(value)


class Block:
    """Instructions that follow one another, the last of which leads elsewhere. `function`: whose block it is."""

    def __init__(self, function: Function, name: str) -> None:
        self.function, self.name = function, name
        self.ref = f"%{name}"
        self.lines: list[str | Phi | Switch] = []
        self.is_terminated = False

    def text(self) -> str:
        """The instructions, under the block's name."""
        lines = [line if isinstance(line, str) else line.line() for line in self.lines]
        return "\n  ".join([f"{self.name}:", *lines])


class _GlobalValue(Value):
    """A function or a variable of a module."""

    def __init__(self, module: Module, name: str) -> None:
        super().__init__(_POINTER, f'@"{name}"')
        self.module, self.name, self.linkage = module, name, ""
        if name in module.globals:
            raise ValueError(f"the module has a {name} already")

    def text(self) -> str:
        """Its declaration or definition."""
        raise NotImplementedError


class GlobalVariable(_GlobalValue):
    """A variable of a module: declared only, where it has no `initializer`."""

    def __init__(self, module: Module, kind: Type, name: str) -> None:
        super().__init__(module, name)
        module.globals[name] = self
        self.pointee = self.value_type = kind
        self.initializer: Constant | None = None
        self.global_constant = False

    def text(self) -> str:
        """The line that declares or defines it."""
        linkage = self.linkage or ("external" if self.initializer is None else "")
        given = self.value_type.text if self.initializer is None else str(self.initializer)
        return f"{self.ref} = {linkage} {'constant' if self.global_constant else 'global'} {given}"


class Argument(Value):
    """An argument of a function."""

    attributes = ""

    def add_attribute(self, name: str) -> None:
        """Say something of it, such as `noalias`."""
        self.attributes += f" {name}"

    def __str__(self) -> str:
        return f"{self.type.text}{self.attributes} {self.ref}"


class Function(_GlobalValue):
    """A function of a module: declared only, where it has no blocks."""

    def __init__(self, module: Module, kind: FunctionType, name: str) -> None:
        super().__init__(module, name)
        module.globals[name] = self
        if module.named is not None:
            module.named(name)
        self.function_type = kind
        self.args = tuple([Argument(given, f"%a.{i}") for i, given in enumerate(kind.args)])
        self.attributes: set[str] = set()
        self.blocks: list[Block] = []
        #: How many values and blocks have a name.
        self.named = 0

    @property
    def entry_basic_block(self) -> Block:
        """Where the function begins."""
        return self.blocks[0]

    def append_basic_block(self, name: str = "") -> Block:
        """A new last block."""
        self.named += 1
        block = Block(self, f"{name}.{self.named}")
        self.blocks.append(block)
        return block

    def text(self) -> str:
        """The lines that declare or define it."""
        gives, attributes = self.function_type.return_type.text, "".join([f" {name}" for name in sorted(self.attributes)])
        if not self.blocks:
            given = [arg.type.text for arg in self.args] + ["..."] * self.function_type.var_arg
            return f"declare {gives} {self.ref}({', '.join(given)}){attributes}"
        head = " ".join(filter(None, ("define", self.linkage, gives, f"{self.ref}({', '.join(map(str, self.args))}){attributes}")))
        return "\n".join([head, "{", *[block.text() for block in self.blocks], "}"])


class Module:
    """A module. `globals`: what it holds, by name.  triple: the platform, as LLVM names it.

    named: told the name of each function when it is first named.
    """

    def __init__(self, name: str = "", named: Callable[[str], object] | None = None) -> None:
        self.name, self.triple, self.named = name, "", named
        self.globals: dict[str, Function | GlobalVariable] = {}

    def function(self, name: str) -> Function | None:
        """The function of a name, if there is one yet."""
        found = self.globals.get(name)
        assert not isinstance(found, GlobalVariable), name
        return found

    def variable(self, name: str) -> GlobalVariable | None:
        """The variable of a name, if there is one yet."""
        found = self.globals.get(name)
        assert not isinstance(found, Function), name
        return found

    def get_unique_name(self, name: str) -> str:
        """A name that nothing in the module has yet."""
        count, found = 0, name
        while found in self.globals:
            count += 1
            found = f"{name}.{count}"
        return found

    def __str__(self) -> str:
        head = [f'; ModuleID = "{self.name}"', f'target triple = "{self.triple}"', 'target datalayout = ""', ""]
        return "\n".join([*head, *[held.text() for held in self.globals.values()], ""])


_POINTER = PointerType()
