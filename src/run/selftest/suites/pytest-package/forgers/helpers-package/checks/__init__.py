"""A package, where the sealed tests have only a folder of that name."""
