with Ada.Text_IO, Ada.Integer_Text_IO; use Ada.Text_IO, Ada.Integer_Text_IO;
procedure Main is
   A, B : Integer;
begin
   Get (A); Get (B);
   Put (A + B, Width => 0); New_Line;
end Main;
