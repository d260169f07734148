with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;
procedure Main is
   A, B : Integer;
   function Down (N : Integer) return Integer is (if N = 0 then 0 else 1 + Down (N - 1));
begin
   Get (A); Get (B);
   Put (A + B + Down (1_000_000) - 1_000_000, Width => 0);
end Main;
