import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  AnswerMemory,
  headerOf,
  isAnswerOutOfBounds,
  parseAnswer,
  parseBounded,
  readBounded,
} from "./bounded-answer.ts";

const DEEP = { maxDepth: 3 };

describe("a body", () => {
  it("is read to its end while it fits", async () => {
    const body = Readable.from([Buffer.from("a\u00e9".slice(0, 1)), Buffer.from("\u00e9b")]);
    expect(await readBounded(body, { maxBytes: 4 })).toEqual({ text: "aéb", bytes: 4 });
  });

  it("is abandoned, with its connection, at the first byte too many", async () => {
    let made = 0;
    const body = Readable.from(
      (function* () {
        for (;;) {
          made += 1;
          yield Buffer.alloc(1_000);
        }
      })(),
    );
    const failed = await readBounded(body, { maxBytes: 3_000_000 }).catch(
      (error: unknown) => error,
    );
    expect(isAnswerOutOfBounds(failed)).toBe(true);
    expect(failed).toMatchObject({ message: "the answer is larger than 3 MiB" });
    expect(body.destroyed).toBe(true);
    expect(made).toBeLessThan(3_100);
  });

  it("is abandoned when all simultaneous answers together are too large, and the next one has room again", async () => {
    const memory = new AnswerMemory(1_000);
    const bounds = { maxBytes: 800, memory };
    const open = new PassThrough();
    const waits = readBounded(open, bounds);
    open.write("x".repeat(600));
    await setImmediate();
    const tooMany = readBounded(Readable.from([Buffer.alloc(500)]), bounds);
    await expect(tooMany).rejects.toThrow(
      "the answers that arrived at the same time are larger than 1000 bytes together",
    );
    open.end();
    expect((await waits).bytes).toBe(600);
    expect((await readBounded(Readable.from([Buffer.alloc(800)]), bounds)).bytes).toBe(800);
  });

  it("whose connection breaks fails with the connection's error", async () => {
    const body = Readable.from(
      (function* () {
        yield Buffer.from("a");
        throw new Error("reset");
      })(),
    );
    await expect(readBounded(body, { maxBytes: 10 })).rejects.toThrow("reset");
  });
});

describe("JSON", () => {
  it.each([
    ["[[[1]]]", [[[1]]]],
    ['{"a":{"b":["]]]"]}}', { a: { b: ["]]]"] } }],
    ['["[[[[[[", "\\"[[[[", "\\\\"]', ["[[[[[[", '"[[[[', "\\"]],
    ["[[],[],[[]],[]]", [[], [], [[]], []]],
  ])("%s is parsed", (text, value) => {
    expect(parseBounded(text, DEEP)).toEqual(value);
  });

  it.each(["[[[[1]]]]", '[{"a":[{}]}]', '["\\\\",[[[', "[".repeat(100_000)])(
    "%.20s is nested too deep, whether or not it is whole",
    (text) => {
      expect(() => parseBounded(text, DEEP)).toThrow("the answer is nested deeper than 3 levels");
    },
  );

  it("that is invalid is a SyntaxError", () => {
    expect(() => parseBounded('["[[[[', DEEP)).toThrow(SyntaxError);
  });
});

describe("an answer's JSON", () => {
  it("is undefined where there is none, and is still refused where it is too deep", () => {
    expect(parseAnswer('{"a":1}', DEEP)).toEqual({ a: 1 });
    expect(parseAnswer("", DEEP)).toBeUndefined();
    expect(parseAnswer("<html>", DEEP)).toBeUndefined();
    expect(() => parseAnswer("[[[[1]]]]", DEEP)).toThrow("nested deeper than 3 levels");
  });
});

it("returns the first of a repeated header", () => {
  const headers = { "x-request-id": ["req-1", "req-2"], "retry-after": "5" };
  expect(headerOf({ headers }, "x-request-id")).toBe("req-1");
  expect(headerOf({ headers }, "retry-after")).toBe("5");
  expect(headerOf({ headers }, "etag")).toBeUndefined();
});
