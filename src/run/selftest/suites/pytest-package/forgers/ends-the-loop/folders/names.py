def basename(path):
    raise StopIteration


dirname = normpath = basename
