cat > "$feedback/team_output"
reply=$(START "$1" "$2" "$feedback/team_output" 2> "$feedback/judgemessage.txt") || exit 1
ends_with "$(echo "$reply" | awk '{ print $1; exit }')"
