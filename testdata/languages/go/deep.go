package main

import "fmt"

func down(n int) int { if n == 0 { return 0 }; return 1 + down(n-1) }

func main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b + down(1000000) - 1000000) }
