// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useRowHeight } from "./use-row-height.ts";

const NONE: ReadonlySet<string> = new Set();
const lines = (...ids: readonly string[]) => ids.map((id) => ({ id, narrow: "line" }) as const);
const height = (columns: ReturnType<typeof lines>, hidden = NONE) =>
  renderHook(() => useRowHeight(undefined, columns, hidden)).result.current.height;

describe("on a phone, the height of a card", () => {
  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({
      ...{ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined },
    }));
  });
  afterEach(() => vi.unstubAllGlobals());

  it("grows with the content below its first line", () => {
    const usual = height(lines("name", "why"));
    expect(height(lines("name"))).toBe(usual);
    const more = height(lines("name", "zone", "why"));
    expect(more).toBeGreaterThan(usual);
    expect(height(lines("name", "zone", "listeners", "why")) - more).toBe(more - usual);
  });

  it("does not count hidden columns", () => {
    const columns = lines("name", "zone", "why");
    expect(height(columns, new Set(["zone"]))).toBe(height(lines("name", "why")));
  });
});
