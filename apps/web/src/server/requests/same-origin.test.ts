import { describe, expect, it } from "vitest";
import { isSameOrigin, safeNextPath } from "./same-origin.ts";

const PUBLIC = "https://ops.example.org";

describe("the origin of a change", () => {
  it.each([
    ["http://127.0.0.1:4000", "127.0.0.1:4000", undefined, true],
    ["http://localhost:4000", "localhost:4000", undefined, true],
    ["http://[::1]:4000", "[::1]:4000", undefined, true],
    [PUBLIC, "127.0.0.1:4000", PUBLIC, true],
    ["http://localhost:9999", "localhost:4000", undefined, false],
    ["https://evil.example", "evil.example", undefined, false],
    ["https://evil.example", "127.0.0.1:4000", PUBLIC, false],
    ["null", "127.0.0.1:4000", undefined, false],
    [undefined, "127.0.0.1:4000", undefined, false],
  ])("%s at host %s with public URL %s: %s", (...[origin, host, publicOrigin, allowed]) => {
    const headers = new Headers({ host, ...(origin === undefined ? {} : { origin }) });
    expect(isSameOrigin(headers, publicOrigin)).toBe(allowed);
  });
});

describe("where to go after signing in", () => {
  it.each([
    ["/c/1/nodes?state=stuck", "/c/1/nodes?state=stuck"],
    ["//evil.example/x", "/"],
    ["/..//evil.example", "/"],
    ["/.//evil.example", "/"],
    ["/a/../..//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["", "/"],
    [undefined, "/"],
    [null, "/"],
  ])("%s leads to %s", (next, path) => {
    expect(safeNextPath(next)).toBe(path);
  });

  it("never leads to another site, whatever it consists of", () => {
    const here = "https://ops.example.org";
    const strays = texts(["/", "\\", ".", "..", "e", ":", "@", "\t", "%2f", "?", "#"], 5).filter(
      (next) => new URL(safeNextPath(next), here).origin !== here,
    );
    expect(strays).toEqual([]);
  });

  /** Returns every combination of up to `most` pieces, after a slash. */
  function texts(pieces: readonly string[], most: number): readonly string[] {
    const lengths: (readonly string[])[] = [["/"]];
    for (let length = 0; length < most; length += 1) {
      const shorter = lengths.at(-1) ?? [];
      lengths.push(shorter.flatMap((text) => pieces.map((piece) => text + piece)));
    }
    return lengths.flat();
  }
});
