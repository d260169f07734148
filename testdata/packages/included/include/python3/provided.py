import sys


def factor():
    return int(sys.argv[1])
