"""Operations for what they do: assertions, printing, summaries, Python functions."""
