"""Speed and memory of Pullback beside its peers: `make bench`."""
