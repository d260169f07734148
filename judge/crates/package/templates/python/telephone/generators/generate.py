#!/usr/bin/env python3
"""Generates an input of the first run.

usage: generate.py --low L --high H SEED
"""

import argparse
import random

parser = argparse.ArgumentParser()
parser.add_argument("--low", type=int, required=True)
parser.add_argument("--high", type=int, required=True)
parser.add_argument("seed", type=int)
args = parser.parse_args()

random.seed(args.seed)
print("send")
print(random.randint(args.low, args.high))
