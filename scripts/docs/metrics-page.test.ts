import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { anchorOf } from "./anchors.ts";
import { documentedMetrics } from "./metrics-page.ts";

const PROJECT = new URL("../../", import.meta.url);
const RULES = "deploy/chart/files/alerts.yaml";
const BOARD = "deploy/chart/files/board.json";

function textOf(file: string): string {
  return readFileSync(new URL(file, PROJECT), "utf8");
}

it("describes every metric, with its type", () => {
  const all = documentedMetrics();
  expect(all.filter(({ help, type }) => help === "" || !TYPES.has(type))).toEqual([]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

const TYPES: ReadonlySet<string> = new Set(["counter", "gauge", "histogram"]);

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Cloudwright[A-Z]/),
          expr: z.string(),
          for: z.string().regex(/^\d+[mh]$/),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({ summary: z.string().regex(/\.$/), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const boardSchema = z.looseObject({
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.looseObject({ expr: z.string() })).default([]),
    }),
  ),
});

const rules = rulesSchema.parse(parse(textOf(RULES))).groups.flatMap(({ rules: all }) => all);
const { panels } = boardSchema.parse(JSON.parse(textOf(BOARD)));

it.each([
  ["alerts", rules.map(({ alert: name, expr }) => ({ name, expr }))],
  [
    "panels",
    panels.flatMap(({ title: name, targets }) => targets.map(({ expr }) => ({ name, expr }))),
  ],
])("%s ask for metrics and labels that there are", (_what, queries) => {
  expect(queries.length).toBeGreaterThan(15);
  expect(queries.flatMap(unknownIn)).toEqual([]);
});

const SERIES = /\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b(?:\{([^}]*)\})?/g;
const FUNCTIONS: ReadonlySet<string> = new Set([
  "histogram_quantile",
  "min_over_time",
  "__rate_interval",
]);
const SCRAPED: ReadonlySet<string> = new Set(["job", "instance", "pod", "le"]);

/** Returns the metrics in a query that no process exposes. */
function unknownIn({ name, expr }: { readonly name: string; readonly expr: string }) {
  const byName = new Map(documentedMetrics().map((metric) => [metric.name, metric]));
  return [...expr.matchAll(SERIES)].flatMap(([, series = "", selectors = ""]) => {
    if (FUNCTIONS.has(series) || /^process_/.test(series)) return [];
    const metric = byName.get(series) ?? byName.get(series.replace(/_(bucket|sum|count)$/, ""));
    if (metric === undefined) return [`${name}: ${series}`];
    const labels = [...selectors.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label);
    return labels
      .filter((label) => !SCRAPED.has(label) && !metric.labels.includes(label))
      .map((label) => `${name}: ${series}{${label}}`);
  });
}

it("every alert links to a section of the runbooks", () => {
  const headings = textOf("docs/runbooks.md")
    .split("\n")
    .filter((line) => line.startsWith("## "))
    .map((line) => `docs/runbooks.md#${anchorOf(line.slice(3))}`);
  expect(rules.filter(({ annotations }) => !headings.includes(annotations.runbook))).toEqual([]);
});

it("no two panels overlap", () => {
  const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)} ${title}`),
  );
  const places = cells.map((cell) => cell.split(" ")[0]);
  expect(new Set(places).size).toBe(places.length);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

/** Prometheus's own checker, if it is installed: it is a Go program, not one of our packages. */
const PROMTOOL = ["promtool"].find((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

it.skipIf(PROMTOOL === undefined)(
  "promtool takes the rules, and they fire as their tests say",
  () => {
    const cwd = new URL("deploy/monitoring/", PROJECT);
    for (const args of [
      ["check", "rules", "../chart/files/alerts.yaml"],
      ["test", "rules", "alerts.test.yaml"],
    ]) {
      expect(execFileSync(PROMTOOL ?? "", args, { cwd, encoding: "utf8" })).toMatch(/SUCCESS/);
    }
  },
);
