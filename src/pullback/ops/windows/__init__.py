"""Sliding windows: convolutions, pools, patches, dilations."""
