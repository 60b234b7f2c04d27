def pairs(function, paths, expected):
    return zip(map(function, paths), expected)
