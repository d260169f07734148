read a b
declare -A seen
for word in $(seq 1 100); do seen[$word]=$(echo "$word" | tr -d 1); done
[[ "a12" =~ ^a([0-9]+)$ ]] && [ "${BASH_REMATCH[1]}" = 12 ] || exit 4
[ "$(date +%Y)" -gt 2000 ] || exit 5
(sleep 0.01; exit 3) & wait $! ; [ $? = 3 ] || exit 6
head -c 200000000 /dev/zero | wc -c | grep -q 200000000 || exit 7
seq 1000 | sort -rn | head -1 | { read last; echo $((a + b + last - 1000 + ${#seen[@]} - 100)); }
