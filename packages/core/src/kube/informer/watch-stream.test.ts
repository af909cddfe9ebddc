import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "./watch-stream.ts";

function split(chunks: readonly Uint8Array[]): string[] {
  const lines: string[] = [];
  const push = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) push(chunk);
  return lines;
}

describe("the lines of a watch", () => {
  it("are the same however the network splits the bytes, even within a character", () => {
    const lines = fc.array(
      fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", "")),
    );
    fc.assert(
      fc.property(lines, fc.array(fc.nat(40)), (texts, cuts) => {
        const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
        const chunks: Uint8Array[] = [];
        let start = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(start, start + cut));
          start += cut;
        }
        chunks.push(bytes.subarray(start));
        expect(split(chunks)).toEqual(texts.filter((text) => text !== ""));
      }),
    );
  });

  it("are held back until they end", () => {
    const bytes = new TextEncoder().encode("one\ntwo");
    expect(split([bytes])).toEqual(["one"]);
  });
});
