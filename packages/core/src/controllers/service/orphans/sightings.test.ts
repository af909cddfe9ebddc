import { expect, it } from "vitest";
import { createOrphanSightings, type OrphanSighting } from "./sightings.ts";

const SIGHTING = { id: "lb-1", serviceUid: "u3", since: 4 };

function sightings(stored?: string) {
  const problems: string[] = [];
  const written: string[] = [];
  const text = {
    read: () => written.at(-1) ?? stored,
    keep: (kept: string) => void written.push(kept),
    write: () => Promise.reject(new Error("Sightings may be lost: they are found anew.")),
  };
  return {
    made: createOrphanSightings(text, (problem) => problems.push(problem)),
    problems,
    written,
  };
}

it("are read as an earlier leader wrote them, and written only when they change", () => {
  const { made, written } = sightings(JSON.stringify([{ ...SIGHTING, id: "lb-2" }, SIGHTING]));
  expect(made.known).toEqual([{ ...SIGHTING, id: "lb-2" }, SIGHTING]);
  made.keep([SIGHTING, { ...SIGHTING, id: "lb-2" }]);
  expect(written).toEqual([]);
  made.keep([SIGHTING]);
  expect(made.known).toEqual([SIGHTING]);
  made.keep([]);
  expect(written).toEqual([JSON.stringify([SIGHTING]), "[]"]);
});

it.each(["{", '[{"id":"lb-1"}]'])(
  "count as none where %s stands in their place, which is said",
  (stored) => {
    const { made, problems } = sightings(stored);
    expect(made.known).toEqual([]);
    made.keep([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^The content of orphaned-load-balancers cannot be read .*\.$/);
  },
);

it("keep the oldest if there are very many orphans", () => {
  const orphans = Array.from(
    { length: 5_000 },
    (_, index): OrphanSighting => ({
      id: `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`,
      serviceUid: `00000000-0000-0000-1111-${String(index).padStart(12, "0")}`,
      since: 1_700_000_000_000 - index,
    }),
  );
  const { made, written } = sightings();
  made.keep(orphans);
  expect(written[0]?.length).toBeLessThan(200_000);
  expect(made.known[0]).toEqual(orphans.at(-1));
  made.keep(orphans);
  expect(written).toHaveLength(1);
});
