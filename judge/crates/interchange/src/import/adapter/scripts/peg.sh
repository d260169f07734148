cat > "$feedback/team_output"
reply=$(START "$2" "$feedback/team_output" "$1" 2> "$feedback/judgemessage.txt")
code=$?
[ "$code" -le 1 ] || exit 1
# Two consecutive numbers are the points and their maximum.
share=$(echo "$reply" | awk '
  $0 !~ /^[0-9]*[.]?[0-9]+$/ { last = ""; next }
  last != "" && last > 0 && $1 > 0 { print last / $1; exit }
  { last = $1 }')
[ -n "$share" ] && ends_with "$share"
exit $((42 + code))
