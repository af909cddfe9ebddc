import type { TimelineStep } from "@cloudwright/core/model/records/node-record";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { CLUSTER, nodePart, objectState } from "../../../testing/records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import { INITIALISATION_PARTS } from "../../views/initialisation.ts";
import { initialisations } from "./initialisations.ts";

const database = useClusterDatabase();

const SPAN = INITIALISATION_PARTS * 1_000;
const FROM = 1_774_000_000_000;
const STRETCH = { from: FROM, to: FROM + SPAN };

const ask = (over: object = {}) =>
  initialisations(database.db, { cluster: CLUSTER, now: FROM + SPAN, ...STRETCH, ...over });
const write = (...records: Parameters<typeof writeRecords>[1]) =>
  writeRecords(String(database.db.pool.options.connectionString), records);

/** Returns a node initialised this long after the span began; `took` is split among the steps. */
function made(
  name: string,
  [after, took]: readonly [number, number],
  shares: Record<string, number> = {},
) {
  const initialisedAt = FROM + after;
  const createdAt = initialisedAt - took;
  const step = (name: TimelineStep["step"], ms: number): TimelineStep => ({
    ...{ step: name, state: "done", startedAt: createdAt, endedAt: createdAt + ms, tries: 1 },
  });
  return objectState({
    ...{ name, at: initialisedAt, initialisedAt, node: nodePart({ createdAt }) },
    timeline: [
      step("registered", 0),
      ...Object.entries(shares).map(([each, ms]) => step(each as TimelineStep["step"], ms)),
    ],
  });
}

describe("how long nodes took to initialise", () => {
  test("is counted by parts of the time span, with the slowest node and step of each", async () => {
    await write(
      made("w-1", [500, 2_000], { found: 1_500, addresses: 200 }),
      made("w-2", [900, 4_000], { found: 1_000, addresses: 2_500 }),
      made("w-3", [999, 9_000], { found: 7_000, addresses: 900 }),
      made("w-4", [5_000, 300]),
    );
    const { from, to, parts } = await ask();
    expect([from, to, parts.length]).toEqual([FROM, FROM + SPAN, INITIALISATION_PARTS]);
    expect(parts[0]).toEqual({
      ...{ nodes: 3, p50Ms: 4_000, p95Ms: 8_500 },
      slowestStep: { step: "found", p50Ms: 1_500 },
      slowest: { name: "w-3", ms: 9_000 },
    });
    expect(parts[5]).toMatchObject({ nodes: 1, p50Ms: 300, slowestStep: undefined });
    expect(parts.filter((part) => part !== undefined)).toHaveLength(2);
  });

  test("leaves out nodes before or after it, of another cluster, or not initialised", async () => {
    await write(
      made("w-0", [-1, 100]),
      made("w-9", [SPAN, 100]),
      objectState({ name: "w-5", at: FROM, node: nodePart({ createdAt: FROM }) }),
    );
    expect((await ask()).parts.every((part) => part === undefined)).toBe(true);
    expect((await ask({ cluster: "another" })).parts).toHaveLength(INITIALISATION_PARTS);
  });

  test("counts a node that has gone since", async () => {
    await write(made("w-1", [500, 2_000]));
    await write(
      objectState({
        ...{ controller: "cloud-node-lifecycle-controller", name: "w-1", state: "gone" },
        ...{ at: FROM + 9_000, reason: { code: "ObjectGone" } },
      }),
    );
    expect((await ask()).parts[0]).toMatchObject({ nodes: 1, p50Ms: 2_000 });
  });

  test("begins with the first known node when no start is given, and ends now", async () => {
    await write(made("w-1", [500, 2_000]), made("w-2", [SPAN - 1, 50]));
    const { from, to, parts } = await ask({ from: undefined, to: undefined });
    expect([from, to]).toEqual([FROM + 500, FROM + SPAN]);
    expect([parts[0]?.nodes, parts.at(-1)?.nodes]).toEqual([1, 1]);
    const none = await ask({ cluster: "another", from: undefined, to: undefined });
    expect(none).toMatchObject({ from: FROM + SPAN, to: FROM + SPAN });
  });
});
