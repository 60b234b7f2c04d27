"""The total of an invoice."""

from invoice.lines import net, tax
from invoice.money import show


def total(lines):
    net_sum = sum(net(line) for line in lines)
    tax_sum = sum(tax(line) for line in lines)
    return {"net": show(net_sum), "tax": show(tax_sum), "gross": show(net_sum + tax_sum)}
