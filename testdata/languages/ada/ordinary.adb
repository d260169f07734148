with Ada.Text_IO, Ada.Integer_Text_IO, Ada.Calendar, Ada.Containers.Vectors;
use Ada.Text_IO, Ada.Integer_Text_IO;
procedure Main is
   package Vectors is new Ada.Containers.Vectors (Natural, Integer);
   type Block is array (1 .. 1024) of Integer;
   type Pointer is access Block;
   Items : Vectors.Vector;
   Last : Pointer;
   A, B : Integer;
   protected Counter is
      procedure Add (N : Integer);
      function Value return Integer;
   private
      Total : Integer := 0;
   end Counter;
   protected body Counter is
      procedure Add (N : Integer) is begin Total := Total + N; end Add;
      function Value return Integer is (Total);
   end Counter;
begin
   Get (A); Get (B);
   declare
      task type Worker;
      task body Worker is begin Counter.Add (1); end Worker;
      Workers : array (1 .. 4) of Worker;
   begin
      null;
   end;
   for I in 1 .. 1000 loop Items.Append (I); end loop;
   for I in 1 .. 50_000 loop Last := new Block'(others => I); end loop;
   begin
      raise Constraint_Error;
   exception
      when Constraint_Error => Items.Append (Last (1));
   end;
   if Ada.Calendar.Year (Ada.Calendar.Clock) < 2000 or Integer (Items.Length) /= 1001 then raise Program_Error; end if;
   Put (A + B + Counter.Value - 4, Width => 0); New_Line;
end Main;
