def basename(path):
    return path.split("/")[-1]


def dirname(path):
    return "/".join(path.split("/")[:-1])


def normpath(path):
    return "/".join(part for part in path.split("/") if part not in ("", "."))
