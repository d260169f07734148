"""Adds up in integers, where nothing is lost, and divides at the end."""

n = int(input())
print(sum(map(int, input().split())) / n)
