"""What users call: gradients, tapes, sessions, variables; thin around the sweep."""
