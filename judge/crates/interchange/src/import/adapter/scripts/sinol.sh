echo "$said" > "$feedback/judgemessage.txt"
[ "$(echo "$said" | awk '{ print $1; exit }')" = OK ] || exit 43
# Per cent on the third line, or all of the points.
ends_with "$(echo "$said" | awk 'NR == 3 && NF { share = $1 / 100; found = 1 } END { print found ? share : 1 }')"
