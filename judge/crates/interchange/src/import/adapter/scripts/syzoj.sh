cat > "$feedback/team_output"
mkdir "$feedback/files" || exit 1
cp "$1" "$feedback/files/input" && cp "$2" "$feedback/files/answer" && mv "$feedback/team_output" "$feedback/files/user_out" || exit 1
: > "$feedback/files/code"
message=$(cd "$feedback" && pwd)/judgemessage.txt
reply=$(cd "$feedback/files" && START 2> "$message") || exit 1
ends_with "$(echo "$reply" | awk '{ print $1 / 100; exit }')"
