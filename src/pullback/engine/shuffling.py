"""A shuffle in native code: Fisher and Yates's steps one after the other, which no vector does."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np

from ..kernels import blas
from .runtime.objects import load_named

Array = np.ndarray

#: Position i of `order` takes one of those from it on, the one so many behind it as the remainder of word i says.
_TEXT = """
define void @shuffle(ptr noalias %order, ptr noalias %words, i32 %count) {
entry:
  %last = sub i32 %count, 1
  %any = icmp sgt i32 %last, 0
  br i1 %any, label %step, label %done
step:
  %i = phi i32 [ 0, %entry ], [ %next, %step ]
  %left = sub i32 %count, %i
  %at = zext i32 %i to i64
  %word_at = getelementptr i32, ptr %words, i64 %at
  %word = load i32, ptr %word_at
  %behind = urem i32 %word, %left
  %j = add i32 %i, %behind
  %other = zext i32 %j to i64
  %mine_at = getelementptr i64, ptr %order, i64 %at
  %other_at = getelementptr i64, ptr %order, i64 %other
  %mine = load i64, ptr %mine_at
  %taken = load i64, ptr %other_at
  store i64 %taken, ptr %mine_at
  store i64 %mine, ptr %other_at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %last
  br i1 %more, label %step, label %done
done:
  ret void
}
"""


@cache
def _code() -> Callable[..., None]:
    return load_named("shuffle", lambda: _TEXT).function("shuffle", None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32)


def shuffle_range(words: Array, count: int) -> Array:
    """`range(count)` shuffled by so many words less one; count: below 2^31.

    Raises NativeError where there is no code generator.
    """
    order, words = np.arange(count), np.ascontiguousarray(words, np.uint32)
    if len(words) < count - 1:
        raise ValueError(f"{len(words)} words for {count - 1} steps")
    _code()(blas.address(order), blas.address(words), count)
    return order
