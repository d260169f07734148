cat > "$feedback/team_output"
START "$1" "$2" "$feedback/team_output" > "$feedback/judgemessage.txt"
case $? in
  0) exit 42 ;;
  *) exit 43 ;;
esac
