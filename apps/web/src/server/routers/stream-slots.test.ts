import { describe, expect, it } from "vitest";
import { streamSlots } from "./live.ts";

describe("the slots for open streams", () => {
  it("are limited per session and in total, and free again when a stream ends", () => {
    const slots = streamSlots({ session: 2, all: 3 });
    const first = slots.take("a");
    expect(first).toHaveProperty("release");
    expect(slots.take("a")).toHaveProperty("release");
    expect(slots.take("a")).toEqual({
      refused: expect.stringContaining("2 pages of this session"),
    });
    expect(slots.take("b")).toHaveProperty("release");
    expect(slots.take("c")).toEqual({ refused: expect.stringContaining("3 pages") });
    if ("release" in first) {
      first.release();
      first.release();
    }
    expect(slots.take("c")).toHaveProperty("release");
    expect(slots.take("d"), "a stream ends once").toHaveProperty("refused");
  });
});
