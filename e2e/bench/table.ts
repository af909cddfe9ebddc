import type { Batch, Measured } from "./batch.ts";
import { type Cell, cellName, type Scenario, upstreamOf } from "./cells.ts";
import {
  type Costs,
  type Counts,
  countsPerNode,
  cpuCosts,
  heapCosts,
  placeOf,
  roomOf,
  sum,
} from "./counts.ts";
import { aimsOf, verdict } from "./verdict.ts";

/** A batch as Markdown: waves in one table, second waves in another, routes in the third, everything else in the last. */
export function batchTable(batch: Pick<Batch, "about" | "cells" | "find">): string {
  const waves = batch.cells.filter(({ cell }) => cell.scenario === "wave");
  const warm = batch.cells.filter(({ cell }) => cell.scenario === "warm");
  const routes = batch.cells.filter(({ cell }) => cell.scenario === "routes");
  const rest = batch.cells.filter(
    ({ cell }) => !["wave", "warm", "routes"].includes(cell.scenario),
  );
  return [
    batch.about,
    ...(waves.length === 0 ? [] : [waveTable(batch, waves)]),
    ...(warm.length === 0 ? [] : [warmTable(batch, warm)]),
    ...(routes.length === 0 ? [] : [routesTable(batch, routes)]),
    ...(rest.length === 0 ? [] : [restTable(batch, rest)]),
  ].join("\n\n");
}

const WAVE_HEAD = [
  "nodes",
  "flags",
  "who",
  "all initialised, s (creating them)",
  "× upstream",
  "one node p50 / p99, s",
  "cloud calls (refused)",
  "full listings",
  "writes a node",
  "nodes with Event",
  "CPU s",
  "RSS peak, MiB",
  "load a core",
  "aims",
];

function waveTable(batch: Pick<Batch, "find">, waves: readonly Measured[]): string {
  const rows = waves.map((measured) => {
    const { cell, numbers } = measured;
    const isUpstream = cell.who === "upstream";
    return [
      cell.nodes.toLocaleString("en-GB"),
      cell.flags,
      who(measured),
      `${withSpread(measured, "seconds")} (${show(numbers.createSeconds)})`,
      isUpstream ? "" : ratio(measured, batch.find(upstreamOf(cell))),
      `${show(numbers.nodeWaitP50)} / ${show(numbers.nodeWaitP99)}`,
      `${show(numbers.cloudCalls)} (${show(numbers.cloudThrottled)})`,
      isUpstream ? "" : show(numbers.listings),
      show(numbers.nodeWritesPerItem),
      show(numbers.nodesWithEvent),
      show(numbers.cpuSeconds),
      show(numbers.rssPeakMiB),
      show(numbers.loadPerCore),
      aims(measured, batch),
    ];
  });
  return markdown(WAVE_HEAD, rows);
}

const WARM_HEAD = [
  "nodes",
  "who",
  "first wave, s (creating them)",
  "× upstream",
  "CPU s",
  "second wave, s (creating them)",
  "× upstream",
  "CPU s",
  "× upstream",
  "one node p50 / p99, s",
  "cloud calls (refused)",
  "full listings",
  "writes a node",
  "nodes with Event",
  "RSS peak, MiB",
  "load a core",
  "aims",
];

function warmTable(batch: Pick<Batch, "find">, warm: readonly Measured[]): string {
  const rows = warm.map((measured) => {
    const { cell, numbers } = measured;
    const isUpstream = cell.who === "upstream";
    const upstream = batch.find(upstreamOf(cell));
    const times = (key: string) => (isUpstream ? "" : ratio(measured, upstream, key));
    return [
      cell.nodes.toLocaleString("en-GB"),
      who(measured),
      `${withSpread(measured, "cold.seconds")} (${show(numbers["cold.createSeconds"])})`,
      times("cold.seconds"),
      show(numbers["cold.cpuSeconds"]),
      `${withSpread(measured, "seconds")} (${show(numbers.createSeconds)})`,
      times("seconds"),
      withSpread(measured, "cpuSeconds"),
      times("cpuSeconds"),
      `${show(numbers.nodeWaitP50)} / ${show(numbers.nodeWaitP99)}`,
      `${show(numbers.cloudCalls)} (${show(numbers.cloudThrottled)})`,
      isUpstream ? "" : show(numbers.listings),
      show(numbers.nodeWritesPerItem),
      show(numbers.nodesWithEvent),
      show(numbers.rssPeakMiB),
      show(numbers.loadPerCore),
      aims(measured, batch),
    ];
  });
  return markdown(WARM_HEAD, rows);
}

export interface Counted {
  readonly cell: Cell;
  readonly counts: Counts;
}

const MOST_PLACES = 30;

/** What a node of a warm wave costs, and where: by room, and by function. */
export function countsTable({ cell, counts }: Counted): string {
  const places = (unit: string, costs: Costs) =>
    markdown(
      [unit, "%", "where"],
      costs
        .slice(0, MOST_PLACES)
        .map(([place, cost]) => [show(cost), show((100 * cost) / sum(costs)), place]),
    );
  const each = (costs: Costs, divisor: number): Costs =>
    costs.map(([place, cost]) => [place, cost / cell.nodes / divisor]);
  return [
    `${cellName(cell)}: a node of the waves after the second`,
    markdown(
      ["what", "a node"],
      countsPerNode(counts, cell.nodes).map(([name, cost]) => [name, show(cost)]),
    ),
    places("CPU µs", each(cpuCosts(counts.cpu, roomOf), 0.001)),
    places("CPU µs", each(cpuCosts(counts.cpu, placeOf), 0.001)),
    places("KiB", each(heapCosts(counts.heap, roomOf), 1_024)),
    places("KiB", each(heapCosts(counts.heap, placeOf), 1_024)),
  ].join("\n\n");
}

const ROUTES_HEAD = [
  "nodes",
  "flags",
  "who",
  "all have their route, s",
  "× upstream",
  "all initialised, s",
  "route creations",
  "route listings, then in 60 s",
  "API requests a node",
  "CPU s",
  "RSS peak, MiB",
  "load a core",
  "aims",
];

function routesTable(batch: Pick<Batch, "find">, routes: readonly Measured[]): string {
  const rows = routes.map((measured) => {
    const { cell, numbers } = measured;
    return [
      cell.nodes.toLocaleString("en-GB"),
      cell.flags,
      who(measured),
      withSpread(measured, "seconds"),
      cell.who === "upstream" ? "" : ratio(measured, batch.find(upstreamOf(cell))),
      show(numbers.initSeconds),
      show(numbers.routeCreations),
      `${show(numbers.routeListings)}, ${show(numbers["steady.routeListings"])}`,
      show(numbers.apiRequestsPerItem),
      show(numbers.cpuSeconds),
      show(numbers.rssPeakMiB),
      show(numbers.loadPerCore),
      aims(measured, batch),
    ];
  });
  return markdown(ROUTES_HEAD, rows);
}

const REST_HEAD = ["what", "nodes", "who", "found", "CPU s", "load a core", "aims"];

function restTable(batch: Pick<Batch, "find">, rest: readonly Measured[]): string {
  const rows = rest.map((measured) => {
    const { cell, numbers } = measured;
    const phase = cell.scenario === "idle" ? "steady." : "";
    return [
      TITLES[cell.scenario],
      cell.nodes.toLocaleString("en-GB"),
      who(measured),
      found(measured),
      show(numbers[`${phase}cpuSeconds`]),
      show(numbers.loadPerCore),
      aims(measured, batch),
    ];
  });
  return markdown(REST_HEAD, rows);
}

const TITLES: Readonly<Record<Scenario, string>> = {
  wave: "a wave of nodes",
  warm: "a second wave of nodes",
  lone: "one node registers",
  idle: "nothing happens for 330 s",
  kill: "leader killed (SIGKILL)",
  term: "leader stopped (SIGTERM)",
  routes: "nodes get their routes",
};

function found(measured: Measured): string {
  const { cell, numbers } = measured;
  switch (cell.scenario) {
    case "lone":
      return `initialised after ${show(numbers.nodeWaitP50)} s, cloud calls: ${show(numbers.cloudCalls)}`;
    case "idle":
      return `cloud calls: ${show(numbers["steady.cloudCalls"])} (${show(numbers["steady.listings"])} full listings), API requests but leases: ${show(numbers["steady.apiRequests"])}, RSS ${show(numbers["steady.rssMiB"])} MiB`;
    default:
      return `new leader after ${withSpread(measured, "newLeaderSeconds")} s, new node initialised after ${withSpread(measured, "seconds")} s, both replicas ${show(numbers.rssBothPeakMiB)} MiB`;
  }
}

function aims(measured: Measured, batch: Pick<Batch, "find">): string {
  if (measured.cell.who === "upstream") return "";
  if (measured.counted) return "not judged: it counted what it did";
  return verdict(aimsOf(measured, batch.find(upstreamOf(measured.cell))));
}

const NAMES = {
  upstream: "upstream",
  headless: "Cloudwright, headless",
  ledger: "Cloudwright, ledger in PostgreSQL",
} as const;

function who({ cell, source, runs }: Measured): string {
  const notes = [runs > 1 ? `median of ${runs}` : "", source ?? ""].filter(Boolean);
  return [NAMES[cell.who], ...notes].join(", ");
}

function ratio({ numbers }: Measured, upstream: Measured | undefined, key = "seconds"): string {
  const [ours, theirs] = [numbers[key], upstream?.numbers[key]];
  if (theirs === undefined || ours === undefined) return "–";
  return (ours / theirs).toFixed(2);
}

function withSpread({ numbers, spread }: Measured, key: string): string {
  const range = spread[key];
  return range === undefined ? show(numbers[key]) : `${show(numbers[key])} [${range}]`;
}

export function show(value: number | undefined): string {
  return value === undefined ? "–" : value.toLocaleString("en-GB", { maximumFractionDigits: 2 });
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
