cat > "$feedback/team_output"
START "$1" "$feedback/team_output" "$2" 1 "$feedback/share" "$feedback/judgemessage.txt" > /dev/null || exit 1
ends_with "$(awk '{ print $1; exit }' "$feedback/share")"
