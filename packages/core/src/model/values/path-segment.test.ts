import { describe, expect, it } from "vitest";
import { pathSegment } from "./path-segment.ts";

const BASE = "http://api.invalid/v1/instances";

describe("a segment of a path", () => {
  it.each([
    ["i-1", "i-1"],
    ["zone/i-1", "zone%2Fi-1"],
    ["a b?c#d", "a%20b%3Fc%23d"],
    ["...", "..."],
    [".a", ".a"],
    ["%2e%2e", "%252e%252e"],
    ["\ud800", "%EF%BF%BD"],
  ])("%j is %s", (text, segment) => {
    expect(pathSegment(text)).toBe(segment);
  });

  it.each([
    "",
    ".",
    "..",
    "../../..",
    "..\\..",
    "%2e%2e",
    "%2E",
    "/",
    "//evil",
    "?",
    "#",
    "\t..",
    "..\n",
    "\0",
    "\ud800",
  ])("%j never leaves the collection to which the request goes", (text) => {
    const { pathname, search, hash } = new URL(`${BASE}/${pathSegment(text)}/status`);
    expect(pathname.split("/")).toHaveLength("/v1/instances/x/status".split("/").length);
    expect(pathname).toMatch(/^\/v1\/instances\/[^/]+\/status$/);
    expect(search + hash).toBe("");
  });
});
