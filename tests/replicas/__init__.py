"""Programs that tests run in several processes over MPI, and what runs them."""
