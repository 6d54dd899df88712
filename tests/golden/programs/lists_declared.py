"""Raw lists of tensors: the dtype, shape and greatest number of elements that they are declared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v2"


class _Lists:
    """The raw operations in short."""

    def __init__(self, tf: Any) -> None:
        self.tf, self.raw = tf, tf.raw_ops

    def empty(self, shape: Any = -1, most: int = -1, dtype: Any = None) -> Any:
        tf = self.tf
        return self.raw.EmptyTensorList(element_shape=tf.constant(shape, tf.int32), max_num_elements=most, element_dtype=dtype or tf.float32)

    def reserve(self, shape: Any = -1, count: int = 2) -> Any:
        return self.raw.TensorListReserve(element_shape=shape, num_elements=count, element_dtype=self.tf.float32)

    def push(self, to: Any, *values: Any) -> Any:
        for value in values:
            to = self.raw.TensorListPushBack(input_handle=to, tensor=value)
        return to

    def pop(self, of: Any, dtype: Any = None) -> Any:
        return self.raw.TensorListPopBack(input_handle=of, element_shape=-1, element_dtype=dtype or self.tf.float32)

    def get(self, of: Any, index: int = 0, shape: Any = -1, dtype: Any = None) -> Any:
        return self.raw.TensorListGetItem(input_handle=of, index=index, element_shape=shape, element_dtype=dtype or self.tf.float32)

    def set(self, of: Any, item: Any, index: int = 0, grows: bool = False) -> Any:
        return self.raw.TensorListSetItem(input_handle=of, index=index, item=item, resize_if_index_out_of_bounds=grows)

    def stack(self, of: Any, shape: Any = -1, dtype: Any = None) -> Any:
        return self.raw.TensorListStack(input_handle=of, element_shape=shape, element_dtype=dtype or self.tf.float32)

    def gather(self, of: Any, indices: list[int], shape: Any = -1) -> Any:
        return self.raw.TensorListGather(input_handle=of, indices=indices, element_shape=shape, element_dtype=self.tf.float32)

    def made(self, tensor: Any, shape: Any) -> Any:
        return self.raw.TensorListFromTensor(tensor=tensor, element_shape=shape)

    def both(self, a: Any, b: Any) -> Any:
        return self.raw.TensorListConcatLists(input_a=a, input_b=b, element_dtype=self.tf.float32)

    def length(self, of: Any) -> Any:
        return self.raw.TensorListLength(input_handle=of)


def of_numbers(tf: Any) -> Answers:
    """How many elements a push makes at most."""
    do = _Lists(tf)
    full = "Tried to push item into a full list"

    def two() -> Any:
        return do.push(do.empty(most=2), 1.0, 2.0)

    def one() -> Any:
        return do.push(do.empty(most=1), 1.0)

    def in_function(count: int) -> Callable[[], Any]:
        @tf.function
        def pushed(n: Any) -> Any:
            made = do.empty(most=2)
            for i in tf.range(n):
                made = do.push(made, tf.cast(i, tf.float32))
            return do.length(made)

        return lambda: pushed(tf.constant(count))

    return {
        "two of two": lambda: do.length(two()),
        "three of two": raises(lambda: do.push(two(), 3.0), f"{full} list size: 2 max_num_elements: 2"),
        "one of none": raises(lambda: do.push(do.empty(most=0), 3.0), full),
        "any": lambda: do.length(do.push(do.empty(most=-5), 1.0, 2.0)),
        "after a pop": lambda: do.stack(do.push(do.pop(two())[0], 3.0)),
        "two after a pop": raises(lambda: do.push(do.pop(two())[0], 3.0, 4.0), full),
        "set beyond": lambda: do.stack(do.set(two(), 4.0, 2, grows=True)),
        "resized beyond": lambda: do.stack(do.raw.TensorListResize(input_handle=one(), size=3)),
        "pushed after that": raises(lambda: do.push(do.raw.TensorListResize(input_handle=one(), size=3), 1.0), full),
        "joined": lambda: do.stack(do.both(one(), one())),
        "pushed after joining": raises(lambda: do.push(do.both(one(), one()), 1.0), full),
        "pushed after adding": lambda: do.stack(do.push(do.raw.AddN(inputs=[one(), one()]), 1.0)),
        "pushed after zeros": lambda: do.stack(do.push(do.raw.ZerosLike(x=one()), 1.0)),
        "a vector": raises(lambda: do.raw.EmptyTensorList(element_shape=-1, max_num_elements=[3], element_dtype=tf.float32), "scalar"),
        "in a function": in_function(2),
        "in a function, too many": raises(in_function(3), full),
    }


def of_dtypes(tf: Any) -> Answers:
    do = _Lists(tf)
    wrong = "Invalid data types; op elements int32 but list elements float"
    whole = tf.constant(1)

    def one() -> Any:
        return do.push(do.empty(), 1.0)

    return {
        "push": raises(lambda: do.push(do.empty(), whole), wrong),
        "set": raises(lambda: do.set(one(), whole), wrong),
        "set a place reserved": raises(lambda: do.set(do.reserve(), whole), wrong),
        "get": raises(lambda: do.get(one(), dtype=tf.int32), wrong),
        "get a place reserved": raises(lambda: do.get(do.reserve([2]), dtype=tf.int32), wrong),
        "pop": raises(lambda: do.pop(one(), tf.int32), wrong),
        "stack": raises(lambda: do.stack(one(), dtype=tf.int32), wrong),
        "scatter": raises(lambda: do.raw.TensorListScatterIntoExistingList(input_handle=do.reserve(), tensor=[1], indices=[0])),
        "join": raises(lambda: do.both(one(), do.push(do.empty(dtype=tf.int32), whole)), "Saw: int32 vs. float"),
        "push on rows": raises(lambda: do.push(do.made([1.0, 2.0], -1), whole), wrong),
        "a string": lambda: do.get(do.push(do.empty(dtype=tf.string), "a"), dtype=tf.string),
    }


def of_shapes(tf: Any) -> Answers:
    do = _Lists(tf)
    append, put, merge = "Tried to append a tensor with incompatible shape", "Tried to set a tensor with incompatible", "Incompatible shapes during merge"

    def scatter() -> Any:
        return do.raw.TensorListScatterIntoExistingList(input_handle=do.reserve([2]), tensor=[[1.0]], indices=[0])

    return {
        "push": raises(lambda: do.push(do.empty([3]), [1.0, 2.0]), append),
        "push another rank": raises(lambda: do.push(do.empty([3, -1]), [1.0, 2.0, 3.0]), append),
        "push what fits": lambda: do.get(do.push(do.empty([-1]), [1.0, 2.0])),
        "push on rows": raises(lambda: do.push(do.made([[1.0, 2.0]], [2]), [1.0]), append),
        "push on rows of any": lambda: do.length(do.push(do.made([[1.0, 2.0]], [-1]), [1.0])),
        "set": raises(lambda: do.set(do.reserve([2]), [4.0]), put),
        "scatter": lambda: do.get(scatter()),
        "get a place reserved": lambda: do.get(do.reserve([2])),
        "get a place of no shape": raises(lambda: do.get(do.reserve([-1]))),
        "get as another": lambda: do.get(do.push(do.empty(), [1.0]), shape=[2]),
        "stack as another": raises(lambda: do.stack(do.push(do.empty(), [1.0]), [2]), merge),
        "stack against the declared": raises(lambda: do.stack(do.push(do.empty([1]), [1.0]), [2]), merge),
        "stack nothing": lambda: do.stack(do.empty([2])),
        "stack nothing, in parts": lambda: do.stack(do.empty([-1, 3]), [2, -1]),
        "stack nothing of no shape": raises(lambda: do.stack(do.empty([-1])), "non-fully-defined element_shape"),
        "stack places reserved": lambda: do.stack(do.set(do.reserve([2]), [1.0, 2.0])),
        "gather as another": raises(lambda: do.gather(do.push(do.empty(), [1.0]), [0], [2]), merge),
        "gather": lambda: do.gather(do.push(do.empty([1]), [1.0], [2.0]), [1, 0]),
        "join": raises(lambda: do.both(do.empty([2]), do.empty([3])), "not identical"),
        "asked": lambda: do.raw.TensorListElementShape(input_handle=do.push(do.empty([2, -1]), [[1.0], [2.0]]), shape_type=tf.int32),
        "asked of any": lambda: do.raw.TensorListElementShape(input_handle=do.push(do.empty(), [1.0]), shape_type=tf.int32),
    }




def derivatives(tf: Any) -> Answers:
    """Through lists that are declared, eagerly and in a function."""
    do = _Lists(tf)

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            made = do.push(do.set(do.made([x * x, x], tf.constant([], tf.int32)), 3.0 * x), x * x * x)
            rest, last = do.pop(made)
            y = tf.reduce_sum(do.stack(rest)) * last
        return tape.gradient(y, x)

    x = tf.constant(2.0)
    return {"eagerly": lambda: slope(x), "in a function": lambda: tf.function(slope)(x)}
