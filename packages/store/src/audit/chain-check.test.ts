import { describe, expect, test } from "vitest";
import { createChainCheck } from "./chain-check.ts";
import { type ChainedEntry, entryHash, FIRST_PREV_HASH } from "./entry-text.ts";

function chain(length: number): ChainedEntry[] {
  const entries: ChainedEntry[] = [];
  for (let seq = 1; seq <= length; seq++) {
    entries.push(hashed(entry(seq, entries.at(-1)?.hash ?? FIRST_PREV_HASH)));
  }
  return entries;
}

function entry(seq: number, prevHash: string): ChainedEntry {
  return {
    chain: "c1",
    seq,
    prevHash,
    hash: "",
    id: `00000000-0000-4000-8000-${String(seq).padStart(12, "0")}`,
    at: 1_795_000_000_000 + seq,
    actorKind: "controller",
    actorId: "ctl-1",
    actorName: "ctl-1",
    action: "node.initialise",
    objectKind: "Node",
    objectNamespace: null,
    objectName: `w-${seq}`,
    objectUid: null,
    why: "Found.",
    result: "applied",
    before: "null",
    after: `{"n": ${seq}}`,
    runId: null,
    intentId: null,
    clientAddress: null,
    clientAgent: null,
    format: 1,
    writtenBy: null,
    proof: null,
    sessionId: null,
  };
}

function hashed(one: ChainedEntry): ChainedEntry {
  return { ...one, hash: entryHash(one) };
}

const TEN = chain(10);
const HEAD = at(10);

function at(seq: number): ChainedEntry {
  const found = TEN[seq - 1];
  if (found === undefined) throw new Error(`The test has no entry ${seq}.`);
  return found;
}

function replace(...changed: readonly ChainedEntry[]): readonly ChainedEntry[] {
  return TEN.map((one) => changed.find(({ seq }) => seq === one.seq) ?? one);
}

function without(...gone: readonly number[]): readonly ChainedEntry[] {
  return TEN.filter(({ seq }) => !gone.includes(seq));
}

function check(entries: readonly ChainedEntry[], head: { seq: number; hash: string } = HEAD) {
  const run = createChainCheck({ head });
  for (const one of entries) run.take(one);
  const { breaks, proven, breakCount } = run.end();
  return {
    breaks: breaks.map(({ kind, from, to }) => `${kind} ${from}-${to}`),
    proven: proven.map(({ from, to }) => `${from}-${to}`),
    sentences: breaks.map(({ sentence }) => sentence),
    breakCount,
  };
}

/** Chains and hashes the entries again from this one on, as somebody who wants to hide a change would. */
function rechained(from: ChainedEntry): readonly ChainedEntry[] {
  const entries = TEN.slice(0, from.seq - 1);
  for (const one of [from, ...TEN.slice(from.seq)]) {
    entries.push(hashed({ ...one, prevHash: entries.at(-1)?.hash ?? FIRST_PREV_HASH }));
  }
  return entries;
}

describe("a chain", () => {
  test("that is whole has no break and is proven from end to end", () => {
    expect(check(TEN)).toMatchObject({ breaks: [], proven: ["1-10"] });
    expect(check([], { seq: 0, hash: FIRST_PREV_HASH })).toMatchObject({ breaks: [], proven: [] });
  });

  test.each<[string, readonly ChainedEntry[], readonly string[], readonly string[]]>([
    ["one changed", replace({ ...at(4), why: "Lost." }), ["changed 4-4"], ["1-3", "5-10"]],
    ["the first changed", replace({ ...at(1), at: 7 }), ["changed 1-1"], ["2-10"]],
    ["the last changed", replace({ ...at(10), result: "failed" }), ["changed 10-10"], ["1-9"]],
    [
      "one changed and hashed anew",
      replace(hashed({ ...at(4), why: "Lost." })),
      ["changed 4-4"],
      ["1-3", "5-10"],
    ],
    [
      "its hash overwritten",
      replace({ ...at(4), hash: at(5).hash }),
      ["changed 4-4"],
      ["1-3", "5-10"],
    ],
    [
      "its link overwritten",
      replace({ ...at(4), prevHash: at(5).hash }),
      ["changed 4-4"],
      ["1-3", "5-10"],
    ],
    [
      "neighbours changed",
      replace({ ...at(4), why: "a" }, { ...at(5), why: "b" }, { ...at(7), why: "c" }),
      ["changed 4-5", "changed 7-7"],
      ["1-3", "6-6", "8-10"],
    ],
    ["one removed", without(4), ["removed 4-4"], ["1-3", "5-10"]],
    ["several removed", without(1, 2, 6, 7, 8), ["removed 1-2", "removed 6-8"], ["3-5", "9-10"]],
    ["the end removed", without(9, 10), ["removed 9-10"], ["1-8"]],
    ["all removed", [], ["removed 1-10"], []],
    [
      "two swapped",
      replace({ ...at(8), seq: 5 }, { ...at(5), seq: 8 }),
      ["reordered 5-5", "reordered 8-8"],
      ["1-4", "6-7", "9-10"],
    ],
    [
      "neighbours swapped",
      replace({ ...at(6), seq: 5 }, { ...at(5), seq: 6 }),
      ["reordered 5-5", "reordered 6-6"],
      ["1-4", "7-10"],
    ],
    [
      "one moved to the end",
      [...without(4), { ...at(4), seq: 11 }],
      ["removed 4-4", "added 11-11"],
      ["1-3", "5-10"],
    ],
    [
      "one appended past the head",
      [...TEN, hashed(entry(11, HEAD.hash))],
      ["added 11-11"],
      ["1-10"],
    ],
    [
      "a number twice",
      [...TEN.slice(0, 5), at(5), ...TEN.slice(5)],
      ["added 5-5"],
      ["1-5", "6-10"],
    ],
    [
      "everything from one on chained anew, but not the head",
      rechained({ ...at(4), why: "Lost." }),
      ["changed 10-10"],
      ["1-9"],
    ],
  ])("with %s is found out", (...[, entries, breaks, proven]) => {
    expect(check(entries)).toMatchObject({ breaks, proven });
  });

  test("that bypassed an inserted entry names that entry", () => {
    const forged = hashed({ ...entry(11, HEAD.hash), why: "Forged." });
    const next = hashed(entry(12, HEAD.hash));
    expect(check([...TEN, forged, next], next)).toMatchObject({
      breaks: ["added 11-11"],
      proven: ["1-10", "12-12"],
    });
  });

  test("that lost its head's record says where it starts again", () => {
    const next = hashed(entry(11, FIRST_PREV_HASH));
    expect(check([...TEN, next], next)).toMatchObject({
      breaks: ["removed 11-11"],
      proven: ["1-10", "11-11"],
      sentences: [
        "The chain starts again at number 11: what bound it to the entries before was removed.",
      ],
    });
  });

  test("is reported in sentences that name the entries", () => {
    const moved = replace({ ...at(8), seq: 5 }, { ...at(5), seq: 8 }, { ...at(2), why: "x" });
    expect(check(moved).sentences).toEqual([
      "Entry 2 was changed: the contents are not those that were hashed.",
      "Entry 5 was moved here: it was written as number 8.",
      "Entry 8 was moved here: it was written as number 5.",
    ]);
    expect(check(without(3, 4)).sentences).toEqual([
      "Entries 3 to 4 were removed: the chain has the numbers, but no entry.",
    ]);
  });

  test("with many breaks names ten and counts all", () => {
    const many = chain(60).map((one) => (one.seq % 2 === 0 ? { ...one, why: "x" } : one));
    const result = check(many, many.at(-1));
    expect(result.breaks).toHaveLength(10);
    expect(result.breakCount).toBe(30);
    expect(result.proven).toHaveLength(10);
  });
});
