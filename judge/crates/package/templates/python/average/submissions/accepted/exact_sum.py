"""Adds up in integers, without loss, and divides at the end."""

n = int(input())
print(sum(map(int, input().split())) / n)
