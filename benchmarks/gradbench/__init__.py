"""A tool for GradBench: its evaluations, one module each, answered with Pullback's derivatives."""
