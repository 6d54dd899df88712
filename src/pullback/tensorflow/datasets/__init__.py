"""`tf.data`: datasets, their iterators, and files of examples.

A `Dataset` is a description: the spec of its elements and a tensor (dtype variant) whose value is a `Source`.  The same call makes it
eagerly, in a function and in a graph: one operation, `BuildDataset`, takes tensors and the sources of other datasets and builds a source
of them; in a graph it runs when the graph does.

A `Source` knows how many elements it has and makes iterators of them, generators for the most part.  An element is a tuple of the raw
values (arrays; sources for datasets inside datasets) of all the tensors in it; `Layout` leads from these to what the program sees and back.
A `Pass` is one iteration from the beginning: it has the options and what the functions called in it remember.

The functions that a program gives are traced once, when the dataset is made (`TracedFunction`), and called on raw values.  Threads are in
`threads.py` alone: whoever drops an iterator ends them.

structure: how elements nest.  source, operations: the above, and the operations.  traced: functions.  dataset, methods: what programs
call.  iterators, optional, handles: eager iterators, and those of functions and graphs.  The others are named after what they make.
"""
