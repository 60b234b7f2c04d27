"""Amounts of money."""


def parse(text):
    """`"12.50"` as euros."""
    return float(text)


def show(amount):
    """Euros as a text with two decimals."""
    return f"{amount:.2f}"
