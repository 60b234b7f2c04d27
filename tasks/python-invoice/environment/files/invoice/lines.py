"""One line of an invoice."""

from invoice.money import parse


def net(line):
    return round(parse(line["net"]), 1)


def tax(line):
    return round(net(line) * line["rate"] / 100, 2)
