def basename(path):
    return path


def dirname(path):
    return path


def normpath(path):
    return path
