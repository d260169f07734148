package main

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"sort"
	"sync"
	"time"
)

func fails() (caught bool) {
	defer func() { caught = recover() != nil }()
	panic("x")
}

func main() {
	var a, b, n int
	fmt.Scan(&a, &b)
	var group sync.WaitGroup
	var lock sync.Mutex
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() { defer group.Done(); lock.Lock(); n++; lock.Unlock() }()
	}
	group.Wait()
	seen := map[int]int{}
	items := []int{}
	for i := 0; i < 1000; i++ { seen[i%10]++; items = append(items, 1000-i) }
	sort.Ints(items)
	power := new(big.Int).Exp(big.NewInt(3), big.NewInt(1000), nil)
	if len(seen) != 10 || items[0] != 1 || !fails() || !regexp.MustCompile("^a[0-9]+$").MatchString("a12") { os.Exit(4) }
	if power.BitLen() < 1000 || time.Now().Year() < 2000 { os.Exit(5) }
	sum := 0
	for i := 0; i < 200; i++ { sum += len(make([]byte, 1<<20)) >> 20 }
	fmt.Println(a + b + n - 4 + sum - 200)
}
