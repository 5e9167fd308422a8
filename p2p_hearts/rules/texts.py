def describe(rules):
    return [repr(rules)]
