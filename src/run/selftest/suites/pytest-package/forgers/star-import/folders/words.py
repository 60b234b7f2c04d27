SEPARATOR = "/"


def same(got, wanted):
    pass
