import { describe, expect, it } from "vitest";
import { keptPreferencesSchema } from "./preferences.ts";

const columns = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
const tables = (count: number) =>
  Object.fromEntries(columns(count).map((table) => [table, ["zone"]]));

describe("preferences", () => {
  it.each([
    {},
    { density: "compact", time: "absolute", shortcuts: false },
    { zone: "America/Port-au-Prince", ownZone: "Etc/GMT+5" },
    { zone: "UTC", ownZone: "local" },
    { hiddenColumns: { nodes: ["zone", "type"], "load-balancers": [] } },
    { hiddenColumns: tables(50) },
    { keys: { j: "n", "[": "é" } },
    { keys: { j: "k", k: "j" } },
  ])("can be %j", (preferences) => {
    expect(keptPreferencesSchema.parse(preferences)).toEqual(preferences);
  });

  it.each([
    ["an unknown name", { theme: "dark" }],
    ["an unknown choice", { density: "tiny" }],
    ["a zone that is none", { zone: "<b>" }],
    ["a zone without end", { zone: "A".repeat(200) }],
    ["a table that is none", { hiddenColumns: { "no table": [] } }],
    ["a column that is none", { hiddenColumns: { nodes: ["\u0000"] } }],
    ["too many columns", { hiddenColumns: { nodes: columns(41) } }],
    ["a key that is none of ours", { keys: { Enter: "n" } }],
    ["a key of several characters", { keys: { j: "nn" } }],
    ["a key that does not show", { keys: { j: " " } }],
    ["one key for two things", { keys: { j: "x" } }],
    ["too many tables", { hiddenColumns: tables(51) }],
  ])("cannot be %s", (_, preferences) => {
    expect(keptPreferencesSchema.safeParse(preferences).success).toBe(false);
  });
});
