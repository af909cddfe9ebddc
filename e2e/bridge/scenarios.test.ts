import { describe, expect, it } from "vitest";
import { FAKE_PARTS } from "./fake/rows.ts";
import { SCENARIOS } from "./rows.ts";
import { LEFT_OUT, SHOWN } from "./scenarios.ts";

/** How many of each kind spec/90 has. */
const COUNTS = { N: 53, L: 30, S: 82, R: 47 } as const;

function* numbersOf(scenarios: string): Generator<string> {
  const [first = "", last = first] = scenarios.split(" to ");
  const [kind = "", from = ""] = first.split("-");
  const [, to = ""] = last.split("-");
  for (let number = Number(from); number <= Number(to); number++)
    yield `${kind}-${String(number).padStart(2, "0")}`;
}

describe("the scenarios that the suite shows", () => {
  it("are shown by rows that there are", () => {
    const rows = [...SCENARIOS, ...FAKE_PARTS.flatMap((part) => part.rows)].map(({ id }) => id);
    expect(
      Object.values(SHOWN)
        .flat()
        .filter((id) => !rows.includes(id)),
    ).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it("are with those that are left out all that there are, each once", () => {
    const left = LEFT_OUT.flatMap(({ scenarios }) =>
      scenarios.flatMap((one) => [...numbersOf(one)]),
    );
    const named = [...Object.keys(SHOWN), ...left].filter((id) => !/^[VH]/.test(id));
    const all = Object.entries(COUNTS).flatMap(([kind, count]) => [
      ...numbersOf(`${kind}-01 to ${kind}-${count}`),
    ]);
    expect(new Set(named)).toEqual(new Set(all));
    expect(named).toHaveLength(all.length);
  });
});
