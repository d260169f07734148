#!/usr/bin/env python3
"""Generates lists of numbers.

usage: generate.py --count N --low L --high H SEED

N numbers from L to H, both included. The same seed makes the same numbers everywhere.
"""

import argparse
import random

parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, required=True)
parser.add_argument("--low", type=int, required=True)
parser.add_argument("--high", type=int, required=True)
parser.add_argument("seed", type=int)
args = parser.parse_args()

random.seed(args.seed)
print(args.count)
print(*(random.randint(args.low, args.high) for _ in range(args.count)))
