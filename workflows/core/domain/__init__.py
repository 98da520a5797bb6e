"""The rules of seals, without a database."""
