"""The native code of `entry.callable_of`, and the layouts of objects that it relies on.

One function serves every program.  Its `self` is a bytes object whose content is these words, then those of each argument:

     0  program: i32 (ptr buffers, ptr context)         6  number of outputs
     1  context                                         7  records of the outputs, six words each
     2  number of arguments                             8  a callable that numbers tensors; 0: outputs stay arrays
     3  the type of tensors; 0: arrays only             9  offset of a tensor's number
     4  offset of a tensor's array                     10  whether the only output is given without a tuple
     5  1: release the GIL, 2: floats that are        11  a lock, taken while the program runs without the GIL
        not normal are zeros

An argument: dtype (0: any), flags it must have, number of dimensions (-1: any shape), the dimensions.
An output's record: dtype, number of dimensions, address of the dimensions, list of arrays handed out before, its length, next to replace.
"""

from .float_mode import FLOAT_MODE

_TEXT = """
define ptr @entry(ptr %self, ptr %arguments, i64 %count) {{
start:
  %w = getelementptr i8, ptr %self, i64 {SELF}
  %w1 = getelementptr i64, ptr %w, i64 1
  %w2 = getelementptr i64, ptr %w, i64 2
  %w3 = getelementptr i64, ptr %w, i64 3
  %w4 = getelementptr i64, ptr %w, i64 4
  %w5 = getelementptr i64, ptr %w, i64 5
  %w6 = getelementptr i64, ptr %w, i64 6
  %w7 = getelementptr i64, ptr %w, i64 7
  %w11 = getelementptr i64, ptr %w, i64 11
  %signature = getelementptr i64, ptr %w, i64 12
  %expected = load i64, ptr %w2, align 1
  %right_count = icmp eq i64 %count, %expected
  br i1 %right_count, label %take, label %mismatch

take:
  %tensor_type = load ptr, ptr %w3, align 1
  %slot = load i64, ptr %w4, align 1
  %outputs = load i64, ptr %w6, align 1
  %all = add i64 %count, %outputs
  %buffers = alloca ptr, i64 %all, align 16
  %none = icmp eq i64 %count, 0
  br i1 %none, label %taken, label %argument

argument:
  %i = phi i64 [ 0, %take ], [ %next, %accepted ]
  %s = phi ptr [ %signature, %take ], [ %after, %accepted ]
  %from = getelementptr ptr, ptr %arguments, i64 %i
  %given = load ptr, ptr %from
  %given_type_at = getelementptr i8, ptr %given, i64 {TYPE}
  %given_type = load ptr, ptr %given_type_at
  %is_array = icmp eq ptr %given_type, @array_type
  br i1 %is_array, label %array, label %unwrap

unwrap:
  %is_tensor = icmp eq ptr %given_type, %tensor_type
  br i1 %is_tensor, label %tensor, label %mismatch

tensor:
  %value_at = getelementptr i8, ptr %given, i64 %slot
  %value = load ptr, ptr %value_at
  %empty = icmp eq ptr %value, null
  br i1 %empty, label %mismatch, label %filled

filled:
  %value_type_at = getelementptr i8, ptr %value, i64 {TYPE}
  %value_type = load ptr, ptr %value_type_at
  %holds_array = icmp eq ptr %value_type, @array_type
  br i1 %holds_array, label %array, label %mismatch

array:
  %a = phi ptr [ %given, %argument ], [ %value, %filled ]
  %dtype = load ptr, ptr %s, align 1
  %a_dtype_at = getelementptr i8, ptr %a, i64 {DTYPE}
  %a_dtype = load ptr, ptr %a_dtype_at
  %any_dtype = icmp eq ptr %dtype, null
  %same_dtype = icmp eq ptr %dtype, %a_dtype
  %dtype_fits = or i1 %any_dtype, %same_dtype
  %flags_at = getelementptr i64, ptr %s, i64 1
  %flags = load i64, ptr %flags_at, align 1
  %a_flags_at = getelementptr i8, ptr %a, i64 {FLAGS}
  %a_flags_32 = load i32, ptr %a_flags_at
  %a_flags = zext i32 %a_flags_32 to i64
  %common = and i64 %flags, %a_flags
  %flags_fit = icmp eq i64 %common, %flags
  %fits = and i1 %dtype_fits, %flags_fit
  br i1 %fits, label %shape, label %mismatch

shape:
  %rank_at = getelementptr i64, ptr %s, i64 2
  %rank = load i64, ptr %rank_at, align 1
  %dims = getelementptr i64, ptr %s, i64 3
  %any_shape = icmp slt i64 %rank, 0
  br i1 %any_shape, label %accepted, label %ranks

ranks:
  %a_rank_at = getelementptr i8, ptr %a, i64 {RANK}
  %a_rank_32 = load i32, ptr %a_rank_at
  %a_rank = sext i32 %a_rank_32 to i64
  %same_rank = icmp eq i64 %rank, %a_rank
  %a_dims_at = getelementptr i8, ptr %a, i64 {DIMS}
  %a_dims = load ptr, ptr %a_dims_at
  br i1 %same_rank, label %dimension, label %mismatch

dimension:
  %d = phi i64 [ 0, %ranks ], [ %d_next, %same ]
  %done = icmp eq i64 %d, %rank
  br i1 %done, label %accepted, label %compare

compare:
  %dim_at = getelementptr i64, ptr %dims, i64 %d
  %dim = load i64, ptr %dim_at, align 1
  %a_dim_at = getelementptr i64, ptr %a_dims, i64 %d
  %a_dim = load i64, ptr %a_dim_at
  %same_dim = icmp eq i64 %dim, %a_dim
  br i1 %same_dim, label %same, label %mismatch

same:
  %d_next = add i64 %d, 1
  br label %dimension

accepted:
  %length = phi i64 [ 0, %shape ], [ %rank, %dimension ]
  %data_at = getelementptr i8, ptr %a, i64 {DATA}
  %data = load ptr, ptr %data_at
  %to = getelementptr ptr, ptr %buffers, i64 %i
  store ptr %data, ptr %to
  %after = getelementptr i64, ptr %dims, i64 %length
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %argument, label %taken

taken:
  %only_status = icmp eq i64 %outputs, 0
  br i1 %only_status, label %run, label %make

make:
  %table = load ptr, ptr %w7, align 1
  %tuple = call ptr @PyTuple_New(i64 %outputs)
  %no_tuple = icmp eq ptr %tuple, null
  br i1 %no_tuple, label %error, label %output

output:
  %o = phi i64 [ 0, %make ], [ %o_next, %kept ]
  %record = getelementptr [6 x i64], ptr %table, i64 %o
  %made = call ptr @output(ptr %record)
  %not_made = icmp eq ptr %made, null
  br i1 %not_made, label %drop, label %kept

kept:
  %made_data_at = getelementptr i8, ptr %made, i64 {DATA}
  %made_data = load ptr, ptr %made_data_at
  %made_index = add i64 %count, %o
  %made_to = getelementptr ptr, ptr %buffers, i64 %made_index
  store ptr %made_data, ptr %made_to
  %set = call i32 @PyTuple_SetItem(ptr %tuple, i64 %o, ptr %made)
  %o_next = add i64 %o, 1
  %o_more = icmp slt i64 %o_next, %outputs
  br i1 %o_more, label %output, label %run

drop:
  call void @Py_DecRef(ptr %tuple)
  br label %error

error:
  ret ptr null

run:
  %result = phi ptr [ null, %taken ], [ %tuple, %kept ]
  %program = load ptr, ptr %w, align 1
  %context = load ptr, ptr %w1, align 1
  %manner = load i64, ptr %w5, align 1
  %release = and i64 %manner, 1
  %releases = icmp ne i64 %release, 0
  br i1 %releases, label %run_released, label %run_held

run_released:
  %thread = call ptr @PyEval_SaveThread()
  br label %enter

enter:
  %lock = load ptr, ptr %w11, align 1
  %locked = cmpxchg ptr %lock, i32 0, i32 1 seq_cst seq_cst, align 4
  %mine = extractvalue {{ i32, i1 }} %locked, 1
  br i1 %mine, label %run_alone, label %yield

yield:
  %yielded = call i32 @{YIELD}()
  br label %enter

run_alone:
  %status_released = call i32 @run(ptr %program, ptr %buffers, ptr %context, i64 %manner)
  store atomic i32 0, ptr %lock seq_cst, align 4
  call void @PyEval_RestoreThread(ptr %thread)
  br label %finish

run_held:
  %status_held = call i32 @run(ptr %program, ptr %buffers, ptr %context, i64 %manner)
  br label %finish

finish:
  %status = phi i32 [ %status_released, %run_alone ], [ %status_held, %run_held ]
  %good = icmp eq i32 %status, 0
  br i1 %good, label %answer, label %bad

answer:
  %without = icmp eq ptr %result, null
  br i1 %without, label %nothing, label %give

nothing:
  call void @Py_IncRef(ptr @none)
  ret ptr @none

give:
  %given_out = call ptr @wrap(ptr %result, ptr %w, i64 %outputs)
  ret ptr %given_out

bad:
  %without_then = icmp eq ptr %result, null
  br i1 %without_then, label %number, label %discard

discard:
  call void @Py_DecRef(ptr %result)
  br label %number

number:
  %wide = sext i32 %status to i64
  %boxed = call ptr @PyLong_FromLongLong(i64 %wide)
  ret ptr %boxed

mismatch:
  %which = phi i64 [ -1, %start ], [ %i, %unwrap ], [ %i, %tensor ], [ %i, %filled ], [ %i, %array ], [ %i, %ranks ], [ %i, %compare ]
  %negative = sub i64 -2, %which
  %refusal = call ptr @PyLong_FromLongLong(i64 %negative)
  ret ptr %refusal
}}

; The program, with floats as the manner says.
define internal i32 @run(ptr %program, ptr %buffers, ptr %context, i64 %manner) {{
start:
  %zeros = and i64 %manner, 2
  %as_they_are = icmp eq i64 %zeros, 0
  br i1 %as_they_are, label %plain, label %changed
plain:
  %status = call i32 %program(ptr %buffers, ptr %context)
  ret i32 %status
changed:
  %before = call i64 @float_mode()
  %mode = call i64 @zeros_mode(i64 %before)
  call void @set_float_mode(i64 %mode)
  %status_then = call i32 %program(ptr %buffers, ptr %context)
  call void @set_float_mode(i64 %before)
  ret i32 %status_then
}}

; An array to be written: one that was handed out before and that nobody has any more, or a new one.
define internal ptr @output(ptr %record) noinline {{
start:
  %r1 = getelementptr i64, ptr %record, i64 1
  %r2 = getelementptr i64, ptr %record, i64 2
  %r3 = getelementptr i64, ptr %record, i64 3
  %r4 = getelementptr i64, ptr %record, i64 4
  %r5 = getelementptr i64, ptr %record, i64 5
  %list = load ptr, ptr %r3
  %kept = load i64, ptr %r4
  %items_at = getelementptr i8, ptr %list, i64 {ITEMS}
  %items = load ptr, ptr %items_at
  br label %look
look:
  %i = phi i64 [ 0, %start ], [ %i_next, %again ]
  %done = icmp sge i64 %i, %kept
  br i1 %done, label %new, label %see
see:
  %item_at = getelementptr ptr, ptr %items, i64 %i
  %item = load ptr, ptr %item_at
  %type_at = getelementptr i8, ptr %item, i64 {TYPE}
  %type = load ptr, ptr %type_at
  %is_array = icmp eq ptr %type, @array_type
  %references = load i32, ptr %item
  %free = icmp eq i32 %references, 1
  %both = and i1 %is_array, %free
  br i1 %both, label %reuse, label %again
again:
  %i_next = add i64 %i, 1
  br label %look
reuse:
  call void @Py_IncRef(ptr %item)
  ret ptr %item
new:
  %dtype = load ptr, ptr %record
  %rank = load i64, ptr %r1
  %rank_32 = trunc i64 %rank to i32
  %dims = load ptr, ptr %r2
  call void @Py_IncRef(ptr %dtype)
  %made = call ptr @PyArray_NewFromDescr(ptr @array_type, ptr %dtype, i32 %rank_32, ptr %dims, ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %made, null
  %forget = icmp eq i64 %kept, 0
  %out_now = or i1 %failed, %forget
  br i1 %out_now, label %out, label %keep
keep:
  %slot = load i64, ptr %r5
  %slot_next = add i64 %slot, 1
  %over = icmp sge i64 %slot_next, %kept
  %slot_then = select i1 %over, i64 0, i64 %slot_next
  store i64 %slot_then, ptr %r5
  %slot_at = getelementptr ptr, ptr %items, i64 %slot
  %old = load ptr, ptr %slot_at
  call void @Py_IncRef(ptr %made)
  store ptr %made, ptr %slot_at
  call void @Py_DecRef(ptr %old)
  br label %out
out:
  ret ptr %made
}}

; The tuple's arrays made tensors where that is asked for, and the tuple or its only item.
define internal ptr @wrap(ptr %tuple, ptr %w, i64 %count) {{
start:
  %w3 = getelementptr i64, ptr %w, i64 3
  %w4 = getelementptr i64, ptr %w, i64 4
  %w8 = getelementptr i64, ptr %w, i64 8
  %w9 = getelementptr i64, ptr %w, i64 9
  %w10 = getelementptr i64, ptr %w, i64 10
  %type = load ptr, ptr %w3, align 1
  %slot = load i64, ptr %w4, align 1
  %counter = load ptr, ptr %w8, align 1
  %counter_slot = load i64, ptr %w9, align 1
  %options = load i64, ptr %w10, align 1
  %items = getelementptr i8, ptr %tuple, i64 {ITEMS}
  %bare = icmp eq ptr %counter, null
  br i1 %bare, label %finish, label %each
each:
  %i = phi i64 [ 0, %start ], [ %i_next, %counted ]
  %item_at = getelementptr ptr, ptr %items, i64 %i
  %array = load ptr, ptr %item_at
  %tensor = call ptr @PyType_GenericAlloc(ptr %type, i64 0)
  %no_tensor = icmp eq ptr %tensor, null
  br i1 %no_tensor, label %error, label %fill
fill:
  %value_at = getelementptr i8, ptr %tensor, i64 %slot
  store ptr %array, ptr %value_at
  store ptr %tensor, ptr %item_at
  %number = call ptr @PyObject_CallNoArgs(ptr %counter)
  %no_number = icmp eq ptr %number, null
  br i1 %no_number, label %error, label %counted
counted:
  %number_at = getelementptr i8, ptr %tensor, i64 %counter_slot
  store ptr %number, ptr %number_at
  %i_next = add i64 %i, 1
  %more = icmp slt i64 %i_next, %count
  br i1 %more, label %each, label %finish
error:
  call void @Py_DecRef(ptr %tuple)
  ret ptr null
finish:
  %single = icmp ne i64 %options, 0
  br i1 %single, label %one, label %whole
one:
  %only = load ptr, ptr %items
  call void @Py_IncRef(ptr %only)
  call void @Py_DecRef(ptr %tuple)
  ret ptr %only
whole:
  ret ptr %tuple
}}

; What the first callable of a process is tried with: the second array is the first one plus 1.
define i32 @probe(ptr %buffers, ptr %context) {{
  %to_at = getelementptr ptr, ptr %buffers, i64 1
  %from = load ptr, ptr %buffers
  %to = load ptr, ptr %to_at
  %x = load double, ptr %from
  %y = fadd double %x, 1.0
  store double %y, ptr %to
  ret i32 0
}}

{FLOAT_MODE}
@locks = global [{LOCKS} x i32] zeroinitializer, align 64
@array_type = external global i8
@none = external global i8
declare i32 @{YIELD}()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare ptr @PyObject_CallNoArgs(ptr)
declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
"""


def make_text(**offsets: int | str) -> str:
    """The code, for objects that lie in memory as `entry` says: its offsets, the number of locks, and the C library's name of a yield."""
    return _TEXT.format(FLOAT_MODE=FLOAT_MODE, **offsets)
