<?php
function down($n) { return $n === 0 ? 0 : 1 + down($n - 1); }
[$a, $b] = explode(' ', trim(fgets(STDIN)));
echo $a + $b + down(100000) - 100000, "\n";
