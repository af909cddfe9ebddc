import { expect, it } from "vitest";
import { readLogLine } from "./log-line.ts";

it.each([
  ['{"level":"warn","msg":"throttled","ts":1.5,"zone":"a"}', "warn", "throttled", { zone: "a" }],
  ['{"level":"ERROR","message":"no","retry":true}', "error", "no", { retry: true }],
  ['{"severity":"Fatal","msg":"over"}', "error", "over", {}],
  ['{"level":30,"msg":"pino","pid":1}', "info", "pino", { pid: 1 }],
  ['{"level":50,"msg":"pino"}', "error", "pino", {}],
  ['{"level":20,"msg":"pino"}', "debug", "pino", {}],
  ['{"ts":1,"v":4,"msg":"klog as JSON","err":{}}', "error", "klog as JSON", { v: 4 }],
  ['{"ts":1,"v":4,"msg":"klog as JSON"}', "debug", "klog as JSON", { v: 4 }],
  ['{"level":"information","msg":"of no known level"}', "info", "of no known level", {}],
  ["I0123 12:34:56.789012    1234 aws.go:12] Found 3 instances", "info", "Found 3 instances", {}],
  ["W0123 12:34:56.789012       1 aws.go:12] Slow", "warn", "Slow", {}],
  ["E1231 12:34:56.789012       1 aws.go:12] Failed", "error", "Failed", {}],
  ["F1231 12:34:56.789012       1 aws.go:12] Over", "error", "Over", {}],
  ["Started in 3 s", "info", "Started in 3 s", {}],
  ['{"msg":1}', "info", '{"msg":1}', {}],
  ["{not json", "info", "{not json", {}],
  ["[1]", "info", "[1]", {}],
  [
    "panic: runtime error: index out of range",
    "error",
    "panic: runtime error: index out of range",
    {},
  ],
])("reads %s", (text, ...expected) => {
  const [level, message, fields] = expected;
  expect(readLogLine(text)).toMatchObject({ level, message, fields });
});

it.each([
  ["panic: no", true],
  ["fatal error: all goroutines are asleep - deadlock!", true],
  ["Error: no credentials", true],
  ["botocore.exceptions.ClientError", false],
  ["ValueError: no region", true],
  ["F1231 12:34:56.789012       1 aws.go:12] Over", true],
  ["goroutine 1 [running]:", false],
])("takes %s for the reason of an end: %s", (text, isCrash) => {
  expect(readLogLine(text).isCrash).toBe(isCrash);
});
