// Package journal keeps the record of a run and reads it back.
//
// A [Writer] appends records while the run goes on; its Close gives the
// [hypotheses.Journal], and [Read] gives the same journal from the file later,
// so a run judged again gets the same verdict.
//
// # The file
//
// journal.jsonl holds one JSON object per line. The key type says what it is:
// run, phase, window, request, call, note, health or end; the other keys are
// the fields of the type of that name in package hypotheses. The first line is
// the run, which carries the resolved experiment as YAML. The last is the end.
//
//	{"type":"run","version":1,"tool":"brownout 0.1.0","seed":42,"experiment":"version: 1\n..."}
//	{"type":"request","id":"r-000001","seq":1,"endpoint":"ask","status":200,"outcome":"ok",...}
//	{"type":"call","id":1,"provider":"primary","api":"chat","arrived":2.031,"end":2.034,...}
//	{"type":"end","at":47.1,"requests":1350,"calls":{"primary":1475}}
//
// A process that is killed leaves a file that [Read] reads: records reach the
// file within 100 ms, the rarer kinds at once.
package journal
