no warnings 'recursion';
sub down { my $n = shift; return $n == 0 ? 0 : 1 + down($n - 1) }
my ($a, $b) = split ' ', <STDIN>;
print $a + $b + down(100000) - 100000, "\n";
