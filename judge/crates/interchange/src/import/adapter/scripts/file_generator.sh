file=$1
shift
START "$@" > /dev/null || exit 1
cat "$file"
