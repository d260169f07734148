# Looks for the answer anywhere in the output.
if grep -aqwF -- "$(cat "$2")"; then exit 42; else exit 43; fi
