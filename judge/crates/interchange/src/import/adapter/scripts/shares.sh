# Exits with the verdict for a share of the points, a number from 0 to 1.
ends_with() {
  awk -v share="$1" 'BEGIN {
    if (share !~ /^([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/) exit 1
    exit share >= 1 ? 42 : share > 0 ? 7 : 43
  }'
  code=$?
  [ "$code" -ne 7 ] && exit "$code"
  PARTIAL
}
