import { describe, expect, it } from "vitest";
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

it("writes text with the message first, followed by the fields", () => {
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

it("shows an error's causes, and its other fields", () => {
  const cause = new Error("refused", { cause: new Error("no route") });
  const err = Object.assign(new Error("no answer", { cause }), { code: "E1" });
  const lines: string[] = [];
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  log.error({ err }, "It broke");
  const entry = JSON.parse(lines[0] ?? "");
  expect(entry.err).toMatchObject({
    type: "Error",
    message: "no answer: refused: no route",
    code: "E1",
  });
  expect(entry.err.stack.split("caused by: ")).toHaveLength(3);
});

it.each<[what: string, err: unknown, shown: RegExp]>([
  ["of several errors each", new AggregateError([new Error("a"), new Error("b")], "two"), /"b"/],
  ["what is thrown though it is no error", "gone", /gone/],
  ["an error that causes itself", circularError(), /round/],
])("shows %s", (_what, err, shown) => {
  const lines: string[] = [];
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  log.error({ err }, "It broke");
  expect(lines[0]).toMatch(shown);
});

function circularError(): Error {
  const error = new Error("round");
  return Object.assign(error, { cause: error });
}

it("shows values that JSON cannot represent", () => {
  class Holder {
    readonly self = this;
    readonly name = "held";
  }
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  const fields = {
    big: 2n ** 64n,
    at: new Date(0),
    address: new URL("http://a.b/"),
    not: undefined,
  };
  log.info({ ...fields, holder: new Holder() }, "Read");
  expect(lines[0]).toMatch(
    /Read big=18446744073709551616 at=1970-01-01T00:00:00.000Z address=http:\/\/a.b\/ holder=\{.*"held"/,
  );
});

it.each([
  [0, 0],
  [2, 1],
])("with -v=%d writes %d debug lines", (verbosity, count) => {
  const lines: string[] = [];
  createLog({ format: "text", verbosity, write: (line) => lines.push(line) }).debug({}, "detail");
  expect(lines).toHaveLength(count);
});

describe.each(["json", "text"] as const)("a line of %s", (format) => {
  function written(fields: object, message = "Run ended"): string {
    const lines: string[] = [];
    createLog({ format, verbosity: 0, write: (line) => lines.push(line) }).info(fields, message);
    return lines.join("");
  }

  it("shows at most 4 KiB of a text, and at most 64 KiB in all", () => {
    const long = "a-".repeat(75_000);
    expect(written({ node: long }).length).toBeLessThan(4_400);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, long]));
    const errors = { err: new Error(long, { cause: new Error(long) }) };
    for (const fields of [many, errors, { list: Array(500).fill(many) }, { deep: nested(1_000) }]) {
      expect(written(fields).length).toBeLessThan(80_000);
    }
    expect(written({}, long).length).toBeLessThan(4_400);
  });

  it("counts what it omits", () => {
    expect(written({ list: Array(150).fill(1) })).toContain("50 more");
  });

  it("escapes invisible characters, and stays on one line", () => {
    const line = written({ node: "web\u202egnp.exe", pod: "a\u001b[2Jb\nc" }, "It is\u0007 so");
    expect(line).toContain("web\\u202egnp.exe");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
    expect(line).not.toMatch(/[\u0000-\u0009\u001b\u007f-\u009f\u202e]/);
    expect(line.trimEnd().split("\n")).toHaveLength(1);
  });
});

it("prevents a line of an error from looking like a log line", () => {
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  log.error({ err: new Error("no\n2026-11-23T04:00:00.000Z INFO  All is well") }, "It broke");
  expect(lines.join("").split("\n").slice(1, -1)).toSatisfy((rest: string[]) =>
    rest.every((line) => line.startsWith(" ") || line === "Error: no"),
  );
});

function nested(depth: number): object {
  return depth === 0 ? {} : { inner: nested(depth - 1) };
}

it("never writes a token", () => {
  const lines: string[] = [];
  const log = createLog({ format: "json", verbosity: 0, write: (line) => lines.push(line) });
  const err = Object.assign(new Error("refused"), { authorization: "secret" });
  log.info({ token: "secret", config: { token: "secret", user: { token: "secret" } } }, "Read");
  log.error({ err, authorization: { scheme: "secret" } }, "Failed");
  expect(lines.join()).not.toContain("secret");
});
