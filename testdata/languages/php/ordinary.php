<?php
[$a, $b] = array_map('intval', explode(' ', trim(fgets(STDIN))));
$seen = [];
foreach (range(1, 1000) as $i) $seen[$i % 10] = $i;
$caught = 0;
try { throw new Exception('x'); } catch (Exception $e) { $caught = 1; }
if (count($seen) !== 10 || !preg_match('/^a\d+$/', 'a12') || date('Y') < 2000) exit(4);
$sum = 0;
for ($i = 0; $i < 200; $i++) $sum += strlen(str_repeat('x', 1048576)) >> 20;
echo $a + $b + $caught - 1 + $sum - 200, "\n";
