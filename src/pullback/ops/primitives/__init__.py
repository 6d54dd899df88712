"""Operations that every family calls: comparisons and casts."""
