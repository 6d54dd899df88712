"""One module a work: its data, and the program that computes it in each library, in that library's best idiom.

`data(**sizes)` draws the same NumPy arrays for all. `in_tensorflow(tf, d)` is TensorFlow's program and Pullback's alike, told which of
the two it runs on; `in_jax`, `in_torch`, `in_casadi` and `in_autograd` are the peers'.
"""
