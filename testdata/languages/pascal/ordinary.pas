{$mode objfpc}
uses cthreads, sysutils, classes;
var a, b: int64; i, sum: longint; list: TStringList; n: longint = 0; garbage: pointer; ids: array[1..4] of TThreadID;
function work(p: pointer): ptrint; begin InterlockedIncrement(n); work := 0; end;
begin
  read(a, b);
  for i := 1 to 4 do ids[i] := BeginThread(@work);
  for i := 1 to 4 do WaitForThreadTerminate(ids[i], 0);
  list := TStringList.Create;
  for i := 1 to 1000 do list.Add(IntToStr(i));
  list.Sort;
  try raise Exception.Create('x') except on e: Exception do inc(n); end;
  if (list[0] <> '1') or (Now < 30000) then halt(4);
  sum := 0;
  for i := 1 to 200 do begin GetMem(garbage, 1048576); FillChar(garbage^, 1048576, 1); inc(sum, pbyte(garbage)^); FreeMem(garbage); end;
  writeln(a + b + n - 5 + sum - 200);
end.
