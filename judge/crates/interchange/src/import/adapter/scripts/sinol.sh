echo "$reply" > "$feedback/judgemessage.txt"
[ "$(echo "$reply" | awk '{ print $1; exit }')" = OK ] || exit 43
# The third line is a percentage. Without it, the share is 1.
ends_with "$(echo "$reply" | awk 'NR == 3 && NF { share = $1 / 100; found = 1 } END { print found ? share : 1 }')"
