import { describe, expect, it } from "vitest";
import { createRecentMap } from "./recent-map.ts";

describe("a map of recently used values", () => {
  it("makes a value once and forgets the least recently used one", () => {
    const map = createRecentMap<object>(2);
    const first = map.touch("a", () => ({ made: "a" }));
    map.touch("b", () => ({ made: "b" }));
    expect(map.touch("a", () => ({ made: "again" }))).toBe(first);
    map.touch("c", () => ({ made: "c" }));
    expect(map.size).toBe(2);
    expect(map.touch("a", () => ({ made: "again" }))).toBe(first);
    expect(map.touch("b", () => ({ made: "b anew" }))).toEqual({ made: "b anew" });
  });
});
