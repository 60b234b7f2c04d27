import pytest

from invoice.money import parse, show
from invoice.total import total


def line(net, rate=19):
    return {"net": net, "rate": rate}


def test_one_line():
    assert total([line("12.50")]) == {"net": "12.50", "tax": "2.38", "gross": "14.88"}


def test_cents_are_kept():
    assert total([line("0.01", 0), line("0.02", 0)]) == {"net": "0.03", "tax": "0.00", "gross": "0.03"}


def test_tax_is_rounded_once_a_rate():
    assert total([line("0.13")] * 4) == {"net": "0.52", "tax": "0.10", "gross": "0.62"}


def test_rates_are_taxed_apart():
    assert total([line("10.10", 7), line("10.10", 19)]) == {"net": "20.20", "tax": "2.63", "gross": "22.83"}


def test_half_a_cent_goes_up():
    assert total([line("0.50", 5)])["tax"] == "0.03"


def test_large_sums_are_exact():
    assert total([line("0.10", 0)] * 1000)["gross"] == "100.00"


def test_nothing_is_nothing():
    assert total([]) == {"net": "0.00", "tax": "0.00", "gross": "0.00"}


@pytest.mark.parametrize("text", ["", "1.234", "1,50", "ten", "1e3"], ids=["empty", "three-places", "comma", "word", "exponent"])
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(ValueError):
        total([line(text)])


def test_cents_come_back_as_they_went_in():
    assert show(parse("1234.05")) == "1234.05"
    assert isinstance(parse("1234.05"), int)
