use strict; use warnings; use bigint (); use Math::BigInt; use List::Util 'sum'; use POSIX 'strftime';
my @words = split ' ', <STDIN>;
my %seen = map { $_ % 10 => $_ } 1 .. 1000;
my $caught = eval { die "x\n" } ? 0 : 1;
die "wrong" unless keys %seen == 10 && "a12" =~ /^a\d+$/ && Math::BigInt->new(3)->bpow(1000) > 10 && strftime('%Y', gmtime) >= 2000;
my $total = 0;
for my $i (1 .. 200) { my $garbage = 'x' x (1048576 + $i); $total += length($garbage) - 1048575 - $i; }
print sum(@words) + $caught - 1 + $total - 200, "\n";
