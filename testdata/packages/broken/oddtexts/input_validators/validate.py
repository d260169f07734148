"""Accepts two numbers with any text around them."""
import sys

text = sys.stdin.buffer.read().replace(b"\xef\xbb\xbf", b"")
line, newline, rest = text.partition(b"\n")
words = line.removesuffix(b"\r").split(b" ")
plain = all(word.isdigit() and word == b"%d" % int(word) for word in words)
sys.exit(42 if newline and not rest and len(words) == 2 and plain else 43)
