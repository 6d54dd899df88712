"""Modules of LLVM's language, written as text.

The classes have the names and methods of `llvmlite.ir`, as far as the engine uses them.  That package keeps every instruction as an object
and makes the text at the end, which was a fifth of a first call; here an instruction becomes its line of text when it is made.  What LLVM
itself checks when it reads the text (types that fit, blocks that end) is not checked before.
"""

from .builder import COMPARISONS, IRBuilder
from .values import (
    Alloca,
    ArrayType,
    Block,
    Constant,
    DoubleType,
    FloatType,
    Function,
    FunctionType,
    GlobalVariable,
    HalfType,
    IntType,
    LiteralStructType,
    Module,
    Phi,
    PointerType,
    Switch,
    Type,
    Undefined,
    Value,
    VectorType,
    VoidType,
)

__all__ = [
    "COMPARISONS",
    "Alloca",
    "ArrayType",
    "Block",
    "Constant",
    "DoubleType",
    "FloatType",
    "Function",
    "FunctionType",
    "GlobalVariable",
    "HalfType",
    "IRBuilder",
    "IntType",
    "LiteralStructType",
    "Module",
    "Phi",
    "PointerType",
    "Switch",
    "Type",
    "Undefined",
    "Value",
    "VectorType",
    "VoidType",
]
