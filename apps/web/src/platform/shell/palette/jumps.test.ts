import { describe, expect, it } from "vitest";
import { jumpsFor } from "./palette-pages.ts";

describe("where the palette goes", () => {
  it("lists every page for an empty query", () => {
    expect(jumpsFor("c1", "").map(({ label }) => label)).toContain("All clusters");
  });

  it("finds pages by part of their name", () => {
    expect(jumpsFor("c1", " FAILED ")).toEqual([
      { label: "Runs that failed", href: "/c/c1/runs?q=outcome%3Afailed" },
    ]);
  });

  it("returns nothing for unknown text", () => {
    expect(jumpsFor("c1", "w-9")).toEqual([]);
  });
});
