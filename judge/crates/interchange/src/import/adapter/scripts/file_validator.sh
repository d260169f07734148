input=$(mktemp) || exit 1
cat > "$input"
START "$input" "$@"
case $? in
  0) exit 42 ;;
  *) exit 43 ;;
esac
