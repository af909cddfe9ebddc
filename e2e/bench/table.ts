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

/** Formats a batch as Markdown: first waves, second waves, routes, and everything else in separate tables. */
export function batchTable(batch: Pick<Batch, "about" | "cells" | "find">): string {
  const tables = new Map<readonly Column<Row>[], Row[]>(
    [WAVE, WARM, ROUTES, REST].map((columns) => [columns, []]),
  );
  for (const measured of batch.cells) {
    const upstream = batch.find(upstreamOf(measured.cell));
    tables.get(COLUMNS[measured.cell.scenario] ?? REST)?.push({ measured, upstream });
  }
  const shown = [...tables].filter(([, rows]) => rows.length > 0);
  return [batch.about, ...shown.map(([columns, rows]) => tableOf(columns, rows))].join("\n\n");
}

/** A row of one of the tables: a measurement, and upstream's for the same cell. */
interface Row {
  readonly measured: Measured;
  readonly upstream: Measured | undefined;
}

export type Column<Item> = readonly [head: string, cell: (row: Item) => string];

export function tableOf<Item>(columns: readonly Column<Item>[], rows: readonly Item[]): string {
  return markdown(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  );
}

const NODES: Column<Row> = ["nodes", ({ measured }) => measured.cell.nodes.toLocaleString("en-GB")];
const FLAGS: Column<Row> = ["flags", ({ measured }) => measured.cell.flags];
const WHO: Column<Row> = ["who", ({ measured }) => who(measured)];
const RATIO = ratio("seconds");
const CPU = number("CPU s", "cpuSeconds");
const RSS = number("RSS peak, MiB", "rssPeakMiB");
const LOAD = number("load a core", "loadPerCore");
const AIMS: Column<Row> = ["aims", aims];
/** The columns of both first and second waves. */
const OF_WAVES: readonly Column<Row>[] = [
  pair("one node p50 / p99, s", ([p50, p99]) => `${p50} / ${p99}`, ["nodeWaitP50", "nodeWaitP99"]),
  pair("cloud calls (refused)", ([all, refused]) => `${all} (${refused})`, [
    "cloudCalls",
    "cloudThrottled",
  ]),
  [
    "full listings",
    ({ measured: { cell, numbers } }) => (cell.who === "upstream" ? "" : show(numbers.listings)),
  ],
  number("writes a node", "nodeWritesPerItem"),
  number("nodes with Event", "nodesWithEvent"),
];

const WAVE: readonly Column<Row>[] = [
  ...[NODES, FLAGS, WHO, waveTime("all initialised, s (creating them)"), RATIO],
  ...[...OF_WAVES, CPU, RSS, LOAD, AIMS],
];
const WARM: readonly Column<Row>[] = [
  ...[NODES, WHO, waveTime("first wave, s (creating them)", "cold."), ratio("cold.seconds")],
  ...[number("CPU s", "cold.cpuSeconds"), waveTime("second wave, s (creating them)"), RATIO],
  ["CPU s", ({ measured }) => withSpread(measured, "cpuSeconds")],
  ...[ratio("cpuSeconds"), ...OF_WAVES, RSS, LOAD, AIMS],
];
const ROUTES: readonly Column<Row>[] = [
  ...[NODES, FLAGS, WHO],
  ["all have their route, s", ({ measured }) => withSpread(measured, "seconds")],
  ...[
    RATIO,
    number("all initialised, s", "initSeconds"),
    number("route creations", "routeCreations"),
  ],
  pair("route listings, then in 60 s", (numbers) => numbers.join(", "), [
    "routeListings",
    "steady.routeListings",
  ]),
  ...[number("API requests a node", "apiRequestsPerItem"), CPU, RSS, LOAD, AIMS],
];
const REST: readonly Column<Row>[] = [
  ["what", ({ measured }) => TITLES[measured.cell.scenario]],
  NODES,
  WHO,
  ["found", ({ measured }) => found(measured)],
  [
    "CPU s",
    ({ measured: { cell, numbers } }) =>
      show(numbers[cell.scenario === "idle" ? "steady.cpuSeconds" : "cpuSeconds"]),
  ],
  ...[LOAD, AIMS],
];
const COLUMNS: Partial<Record<Scenario, readonly Column<Row>[]>> = {
  wave: WAVE,
  warm: WARM,
  routes: ROUTES,
};

function number(head: string, key: string): Column<Row> {
  return [head, ({ measured }) => show(measured.numbers[key])];
}

function pair(
  head: string,
  words: (numbers: string[]) => string,
  keys: readonly string[],
): Column<Row> {
  return [head, ({ measured }) => words(keys.map((key) => show(measured.numbers[key])))];
}

function waveTime(head: string, phase = ""): Column<Row> {
  return [
    head,
    ({ measured }) =>
      `${withSpread(measured, `${phase}seconds`)} (${show(measured.numbers[`${phase}createSeconds`])})`,
  ];
}

function ratio(key: string): Column<Row> {
  const cell = ({ measured, upstream }: Row) => {
    if (measured.cell.who === "upstream") return "";
    const [ours, theirs] = [measured.numbers[key], upstream?.numbers[key]];
    return theirs === undefined || ours === undefined ? "–" : (ours / theirs).toFixed(2);
  };
  return ["× upstream", cell];
}

export interface Counted {
  readonly cell: Cell;
  readonly counts: Counts;
}

const MOST_PLACES = 30;

/** Formats what a node of a warm wave costs, by room and by function. */
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

function aims({ measured, upstream }: Row): string {
  if (measured.cell.who === "upstream") return "";
  if (measured.counted) return "not judged: it counted what it did";
  return verdict(aimsOf(measured, upstream));
}

export const NAMES = {
  upstream: "upstream",
  headless: "Cloudwright, headless",
  ledger: "Cloudwright, ledger in PostgreSQL",
} as const;

function who({ cell, source, runs }: Measured): string {
  const notes = [runs > 1 ? `median of ${runs}` : "", source ?? ""].filter(Boolean);
  return [NAMES[cell.who], ...notes].join(", ");
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
