read a b
down() { if [ "$1" = 0 ]; then depth=0; else down $(($1 - 1)); depth=$((depth + 1)); fi; }
down 1000
echo $((a + b + depth - 1000))
