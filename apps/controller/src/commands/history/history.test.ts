import type { RunRow } from "@cloudwright/store/views/views";
import { describe, expect, it } from "vitest";
import { PRINTERS } from "./print-runs.ts";
import { type HistoryFlags, runsFilter } from "./select-runs.ts";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const NOTHING: HistoryFlags = { outcome: [], trigger: [], limit: 50 };

describe("what history selects", () => {
  it.each<[string, Partial<HistoryFlags>, object]>([
    [
      "an alias of a controller",
      { controller: "cloud-node" },
      { controller: "cloud-node-controller" },
    ],
    ["outcomes", { outcome: ["failed", "running"] }, { outcomes: ["failed", "running"] }],
    ["triggers", { trigger: ["intent", "retry"] }, { triggers: ["intent", "retry"] }],
    [
      "triggers by their names",
      { trigger: ["action", "auto-retry"] },
      { triggers: ["intent", "retry"] },
    ],
    ["the last hour", { since: "1h" }, { from: NOW - 3_600_000 }],
    [
      "a day",
      { since: "2026-05-01T00:00:00Z", until: "2026-05-02T00:00:00Z" },
      { from: Date.parse("2026-05-01T00:00:00Z"), to: Date.parse("2026-05-02T00:00:00Z") },
    ],
    ["an object", { object: "w-*" }, { key: "w-*" }],
  ])("takes %s", (_, flags, filter) => {
    expect(runsFilter({ ...NOTHING, ...flags }, NOW)).toMatchObject(filter);
  });

  it.each<[Partial<HistoryFlags>, RegExp]>([
    [{ controller: "foo" }, /^--controller is "foo", which is not a controller/],
    [{ outcome: ["bad"] }, /^--outcome is "bad": it must be one of failed, /],
    [{ trigger: ["bad"] }, /^--trigger is "bad": it must be one of change, /],
    [{ since: "yesterday-ish" }, /^--since is "yesterday-ish": give a duration/],
  ])("refuses %j in one sentence", (flags, sentence) => {
    expect(() => runsFilter({ ...NOTHING, ...flags }, NOW)).toThrow(sentence);
  });
});

const RUN: RunRow = {
  id: "01a1fce0-6dcf-73b8-8572-1771fffd4e82",
  controller: "cloud-node-controller",
  object: { kind: "Node", namespace: undefined, name: 'w-"9",', uid: "u" },
  trigger: { kind: "change", what: "created" },
  attempt: 1,
  outcome: "failed",
  reason: { code: "ProviderIDMissing", provider: "=cmd" },
  startedAt: NOW,
  queuedMs: 2,
  durationMs: 1_250,
  cloudCalls: 1,
  kubeCalls: 2,
  changes: 0,
  dryRun: false,
  folded: 1,
};

describe("how history prints", () => {
  it("aligns a table with its column titles", () => {
    const { head, line } = PRINTERS.table;
    const row = line({ ...RUN, object: { ...RUN.object, name: "w-9" } });
    expect(row).toBe(
      "2026-06-01T12:00:00.000Z  cloud-node-controller            Node w-9                          change      failed       1     0        3      1.3 s     =cmd reports no provider ID for this instance".replace(
        "=cmd",
        "=cmd",
      ),
    );
    expect(row.indexOf("cloud-node-controller")).toBe(head.indexOf("CONTROLLER"));
    expect(row.indexOf("1.3 s")).toBe(head.indexOf("TOOK"));
    expect(line({ ...RUN, folded: 12 }).indexOf("12 ")).toBe(head.indexOf("RUNS"));
  });

  it("prints one JSON array", () => {
    const { head, line, between, tail } = PRINTERS.json;
    expect(JSON.parse(head + line(RUN) + between + line(RUN) + tail)).toEqual([
      JSON.parse(JSON.stringify(RUN)),
      JSON.parse(JSON.stringify(RUN)),
    ]);
  });

  it("quotes CSV and escapes formulas", () => {
    const { head, line } = PRINTERS.csv;
    const text = line(RUN);
    expect(text).toContain(',"w-""9"",",');
    expect(text).toContain(",'=cmd reports no provider ID for this instance");
    expect(line({ ...RUN, folded: 12 })).toContain(",failed,false,12,0,1,2,");
    expect(line({ ...RUN, object: { ...RUN.object, name: "w" } }).split(",")).toHaveLength(
      head.split(",").length,
    );
  });
});
