import { expect, it } from "vitest";
import { createLog } from "./log.ts";

it("writes JSON with level names and ISO times", () => {
  const lines: string[] = [];
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  log.warn({ controller: "x", n: 1 }, "Run ended");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    controller: "x",
    n: 1,
    msg: "Run ended",
  });
});

it("writes text with the message first and fields behind", () => {
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  log.info({ node: "w-9", why: "it is held", list: ["a"] }, "Run ended");
  expect(lines[0]).toMatch(/^\S+Z INFO {2}Run ended node=w-9 why="it is held" list=\["a"\]\n$/);
});

it("shows an error with its stack", () => {
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  log.error({ err: new Error("boom") }, "It broke");
  expect(lines[0]).toMatch(/ERROR It broke err="boom"\nError: boom\n\s+at /);
});

it.each([
  [0, 0],
  [2, 1],
])("with -v=%d writes %d debug lines", (verbosity, count) => {
  const lines: string[] = [];
  createLog({ format: "text", verbosity, write: (line) => lines.push(line) }).debug({}, "detail");
  expect(lines).toHaveLength(count);
});

it("never writes a token", () => {
  const lines: string[] = [];
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  log.info({ token: "secret", config: { token: "secret" } }, "Config read");
  expect(lines.join()).not.toContain("secret");
});
