#!/bin/sh
# What a good answer looks like; the fake engine does this.
set -e
cat > invoice/money.py <<'PYTHON'
"""Amounts of money, in whole cents."""

import re

AMOUNT = re.compile(r"(-?)(\d+)(?:\.(\d{1,2}))?")


def parse(text):
    """`"12.50"` as 1250 cents."""
    found = AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(f"not an amount: {text!r}")
    sign, whole, places = found.groups()
    cents = int(whole) * 100 + int((places or "").ljust(2, "0"))
    return -cents if sign else cents


def show(cents):
    """Cents as a text with two decimals."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def percent(cents, rate):
    """A share of an amount, half a cent rounded up."""
    return (cents * rate + 50) // 100
PYTHON
cat > invoice/lines.py <<'PYTHON'
"""The lines of an invoice."""

from invoice.money import parse


def net_by_rate(lines):
    """The net sum of each tax rate, in cents."""
    sums = {}
    for line in lines:
        sums[line["rate"]] = sums.get(line["rate"], 0) + parse(line["net"])
    return sums
PYTHON
cat > invoice/total.py <<'PYTHON'
"""The total of an invoice."""

from invoice.lines import net_by_rate
from invoice.money import percent, show


def total(lines):
    sums = net_by_rate(lines)
    net = sum(sums.values())
    tax = sum(percent(amount, rate) for rate, amount in sums.items())
    return {"net": show(net), "tax": show(tax), "gross": show(net + tax)}
PYTHON
