cat > "$feedback/team_output"
START "$1" "$feedback/team_output" "$2" 2> "$feedback/judgemessage.txt"
case $? in
  0) exit 42 ;;
  1|2) exit 43 ;;
  7) ;;
  *) exit 1 ;;
esac
ends_with "$(awk '/^partial [0-9]+\/[0-9]+$/ { split($2, of, "/"); if (of[2] > 0) print of[1] / of[2]; exit }' "$feedback/judgemessage.txt")"
