def same(got, wanted):
    assert got == wanted
