import { expect, it, test } from "vitest";
import { type ControlRecord, EMPTY_RECORD, parseRecord, writeRecord } from "./control-record.ts";
import { EMPTY_GUARD } from "./guard-record.ts";

const FULL: ControlRecord = {
  pauses: [
    { controller: "cloud-node-controller", by: "ana", why: "x", at: 1, until: 2, intentId: "i" },
  ],
  guard: {
    window: { startedAt: 1, nodes: 20, taken: ["u1"] },
    held: [{ name: "n", uid: "u2", since: 3, because: "gone" }],
    releases: [
      { nodes: [{ name: "n", uid: "u2" }], by: "ana", why: "x", at: 1, until: 2, intentId: "j" },
    ],
  },
  settings: [
    {
      ...{ setting: "node-monitor-period", value: "20s" },
      ...{ by: "ana", why: "x", at: 1, intentId: "k" },
    },
  ],
  texts: { "audit-checkpoint": "{}", "kept-by-a-controller": "[1]" },
};

it("reads back as it was written", () => {
  const data = writeRecord({}, EMPTY_RECORD, FULL);
  expect(new Set(Object.keys(data))).toEqual(
    new Set(["audit-checkpoint", "deletion-guard", "kept-by-a-controller", "pauses", "settings"]),
  );
  expect(parseRecord(data)).toEqual({ record: FULL, problems: [] });
});

test.each([
  ["no JSON", "{"],
  ["another form", '[{"controller":"cloud-node-controller"}]'],
  ["a controller that there is not", JSON.stringify([{ ...FULL.pauses[0], controller: "x" }])],
])(
  "treats content with %s as absent, reports it and leaves the other keys alone",
  (_case, pauses) => {
    const data = { ...writeRecord({}, EMPTY_RECORD, FULL), pauses, unknown: "kept" };
    const { record, problems } = parseRecord(data);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("pauses");
    expect(record).toEqual({ ...FULL, pauses: [], texts: { ...FULL.texts, unknown: "kept" } });
    const guard = { ...record.guard, held: [] };
    const written = writeRecord(data, record, { ...record, guard });
    expect(written).toMatchObject({ pauses, unknown: "kept", "audit-checkpoint": "{}" });
    expect(parseRecord(written).record.guard.held).toEqual([]);
  },
);

it("can be read from before settings existed, and by releases without settings", () => {
  const { settings = "", ...before } = writeRecord({}, EMPTY_RECORD, FULL);
  expect(parseRecord(before)).toEqual({ record: { ...FULL, settings: [] }, problems: [] });
  expect(writeRecord(before, FULL, { ...FULL, pauses: [] })).not.toHaveProperty("settings");
  expect(JSON.parse(settings)).toEqual(FULL.settings);
});

test.each([
  ["no value of it", "node-monitor-period", "soon", 1],
  ["a value out of its bounds", "node-monitor-period", "1ms", 1],
  ["a setting of a newer release", "colour", "blue", 0],
])(
  "keeps a setting with %s, and reports it as ignored unless only a newer release knows it",
  (...[, setting, value, count]) => {
    const settings = JSON.stringify([{ ...FULL.settings[0], setting, value }]);
    const { record, problems } = parseRecord({ settings });
    expect(record.settings).toMatchObject([{ setting, value }]);
    expect(problems).toHaveLength(count);
    for (const problem of problems) expect(problem).toContain(`--${setting} must be`);
  },
);

it("stays far below the size limit of a ConfigMap, however many nodes are held", () => {
  const held = Array.from({ length: 10_000 }, (_, index) => ({
    name: `ip-10-0-${index}.region.compute.internal`,
    uid: `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`,
    since: 1_700_000_000_000,
    because: "x".repeat(2_000),
  }));
  const data = writeRecord({}, EMPTY_RECORD, { ...EMPTY_RECORD, guard: { ...EMPTY_GUARD, held } });
  expect(JSON.stringify(data).length).toBeLessThan(600_000);
  expect(parseRecord(data).record.guard.held[0]).toMatchObject({
    uid: held[0]?.uid,
    since: held[0]?.since,
  });
});
