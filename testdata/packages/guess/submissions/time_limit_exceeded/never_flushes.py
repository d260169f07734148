"""Forgets to flush: both sides wait for each other."""

import sys

print(500)
sys.stdin.readline()
