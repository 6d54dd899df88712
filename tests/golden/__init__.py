"""Golden answers: recorded from TensorFlow 2.21 by `make.py`, replayed on Pullback by `tests/test_golden_*.py`."""
