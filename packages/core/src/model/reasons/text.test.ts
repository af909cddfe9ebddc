import { describe, expect, it } from "vitest";
import {
  andMore,
  clockTime,
  controllerOf,
  evidence,
  few,
  inOneLine,
  proofText,
  requestOf,
  routeProofText,
  shortened,
  start,
  statusOf,
} from "./text.ts";

describe("many values", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b", "c", "d"], "a, b, c, d"],
    [["a", "b", "c", "d", "e"], "a, b, c, d and 1 more"],
    [["a", "b", "c", "d", "e", "f", "g"], "a, b, c, d and 3 more"],
  ])("%j are %j", (values, text) => {
    expect(few(values)).toBe(text);
  });

  it("are listed, or not mentioned if there are none", () => {
    expect(andMore("n1", 2)).toBe("n1 and 2 more");
    expect(andMore("n1", 0)).toBe("n1");
  });
});

describe("a long text", () => {
  it("is kept up to the longest label value, and shows when it is longer", () => {
    expect(start("x".repeat(64))).toBe("x".repeat(64));
    expect(start("x".repeat(65))).toBe(`${"x".repeat(63)}…`);
  });

  it("ends neither in half a character nor in a space", () => {
    expect(start("ab😀cd", 4)).toBe("ab…");
    expect(start("ab😀cd", 5)).toBe("ab😀…");
    expect(start("abc defgh", 5)).toBe("abc…");
    expect(start("ab😀cd", 4).isWellFormed()).toBe(true);
  });

  it("loses what is too much, and keeps something of itself in any case", () => {
    expect(shortened("abcdefgh", 3)).toBe("abcd…");
    expect(shortened("abc", 100)).toBe("…");
    expect(shortened("abc", 0)).toBe("abc");
  });

  it.each([
    ["  no such disk.  ", "no such disk"],
    ["first\n  second\t third...", "first second third"],
    ["v1.2", "v1.2"],
    [".", ""],
    ["", ""],
  ])("of several lines becomes one line without a full stop: %j", (text, line) => {
    expect(inOneLine(text)).toBe(line);
  });
});

describe("evidence", () => {
  it.each<[readonly string[], string]>([
    [[], ""],
    [["", ""], ""],
    [["status 403", ""], " (status 403)"],
    [["", "request r-1"], " (request r-1)"],
    [["status 403", "request r-1"], " (status 403, request r-1)"],
  ])("%j is %j", (parts, text) => {
    expect(evidence(...parts)).toBe(text);
  });

  it("leaves out what is unknown", () => {
    expect([requestOf({}), statusOf({})]).toEqual(["", ""]);
    expect([requestOf({ requestId: "r-1" }), statusOf({ status: 0 })]).toEqual([
      "request r-1",
      "status 0",
    ]);
  });
});

it("a time is to the minute, in UTC, whatever the machine's zone", () => {
  expect(clockTime(Date.UTC(2026, 10, 24, 14, 30, 59, 999))).toBe("2026-11-24 14:30 UTC");
  expect(clockTime(Date.UTC(2026, 0, 1))).toBe("2026-01-01 00:00 UTC");
});

it.each([
  ["cloud-node-controller", "the node controller"],
  ["cloud-node-lifecycle-controller", "the node lifecycle controller"],
  ["node-ipam-controller", "the node IPAM controller"],
  ["service-lb-controller", "the service controller"],
  ["namespace-label-controller", "namespace-label-controller"],
])("%s is named %s", (controller, text) => {
  expect(controllerOf({ controller })).toBe(text);
});

describe("the evidence that a load balancer is a Service's", () => {
  it.each([
    [["name", "address"], ": it has this Service's name and published address, and --adopt=report"],
    [["name"], ": it has this Service's name, but not the address"],
    [["address"], ": it has the address that the Service publishes, but not the name"],
  ] as const)("%j", (proofs, text) => {
    expect(proofText(proofs).startsWith(text)).toBe(true);
  });

  it("is left out if there is none", () => {
    expect([proofText([]), proofText()]).toEqual(["", ""]);
  });
});

describe("the evidence that a route is a node's", () => {
  it.each([
    [[], "has no proof of being the node's"],
    [["range"], "leads to the node's pod range, but not to its machine"],
    [["machine"], "leads to the node's machine, but not to its pod range"],
    [["name"], "is named by the node's UID, but leads to neither its pod range nor its machine"],
    [
      ["range", "machine"],
      "leads to the node's pod range and leads to the node's machine, and --adopt=report leaves it as it is",
    ],
  ] as const)("%j: it %s", (proofs, text) => {
    expect(routeProofText(proofs)).toBe(text);
  });
});
