import { describe, expect, it } from "vitest";
import { ROWS } from "./rows.ts";
import { SHOWN } from "./scenarios.ts";

describe("the scenarios that the suite shows", () => {
  it("are shown by rows that there are", () => {
    const ids = new Set(ROWS.map(({ id }) => id));
    expect(
      Object.values(SHOWN)
        .flat()
        .filter((id) => !ids.has(id)),
    ).toEqual([]);
  });

  it("are shown by rows that each have an id of their own", () => {
    const ids = ROWS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
