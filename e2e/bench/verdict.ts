import type { Measured } from "./batch.ts";
import { IDLE_SECONDS, IDLE_SECONDS_OF_ROUTES } from "./cells.ts";
import { floorSeconds, type ServiceCell } from "./service-cells.ts";

/** One aim of issue 4's "Speed": the measurement may not exceed the limit. */
export interface Aim {
  readonly what: string;
  readonly measured: number;
  readonly limit: number;
}

const MOST_LISTINGS_A_WAVE = 10;
const READS_OF_A_LONE_NODE = 1;
const WRITES_A_NODE = 2;
const NEW_LEADER_AFTER_KILL_SECONDS = 17;
const NEW_LEADER_AFTER_TERM_SECONDS = 1;
const ROUND_SECONDS = 300;
/** The default of `--route-reconciliation-period`. */
const ROUTE_PERIOD_SECONDS = 10;

/** Returns the aims of one of our cells; those set by upstream's figures need `upstream`, from the same batch. */
export function aimsOf(ours: Measured, upstream: Measured | undefined): readonly Aim[] {
  const { numbers } = ours;
  switch (ours.cell.scenario) {
    case "wave":
      return [...waveAims(ours), ...(upstream === undefined ? [] : besides(ours, upstream))];
    case "warm":
      return warmAims(ours, upstream);
    case "lone":
      return [aim("cloud calls", numbers.cloudCalls, READS_OF_A_LONE_NODE)];
    case "idle": {
      const rounds = Math.max(1, Math.floor(IDLE_SECONDS / ROUND_SECONDS));
      return [aim("listings", numbers["steady.listings"], rounds)];
    }
    case "kill":
      return [aim("new leader", numbers.newLeaderSeconds, NEW_LEADER_AFTER_KILL_SECONDS)];
    case "term":
      return [aim("new leader", numbers.newLeaderSeconds, NEW_LEADER_AFTER_TERM_SECONDS)];
    case "routes":
      return [...routeAims(ours), ...(upstream === undefined ? [] : routesBeside(ours, upstream))];
  }
}

const SHARE_OF_DEFAULT_TIMES = 0.06;
const MOST_UPDATES_OF_A_SURGE = 5;
const SHARE_OF_FLOOR = 1.5;

export interface MeasuredServices {
  readonly cell: ServiceCell;
  readonly numbers: Readonly<Record<string, number | undefined>>;
}

/** Returns the aims of issue 5, point 2; those set by upstream's figures need `upstream`, from the same batch. */
export function aimsOfServices(
  { cell, numbers }: MeasuredServices,
  upstream: MeasuredServices | undefined,
): readonly Aim[] {
  switch (cell.scenario) {
    case "create":
      return [
        aim("balancers left", numbers["delete.balancersLeft"], 0),
        ...besidesUpstream(["seconds", "delete.seconds"], { cell, numbers }, upstream),
      ];
    case "fanout":
      return besidesUpstream(["add.seconds", "remove.seconds"], { cell, numbers }, upstream);
    case "provisioning":
    case "throttled": {
      const floor = floorSeconds(cell, numbers.createSeconds ?? Number.NaN);
      return [aim("seconds", numbers.seconds, SHARE_OF_FLOOR * floor)];
    }
    case "surge":
      return [aim("updates a balancer", numbers.mostUpdates, MOST_UPDATES_OF_A_SURGE)];
  }
}

function besidesUpstream(
  times: readonly string[],
  { cell, numbers }: MeasuredServices,
  upstream: MeasuredServices | undefined,
): readonly Aim[] {
  if (upstream === undefined) return [];
  const share = cell.flags === "default" ? SHARE_OF_DEFAULT_TIMES : 1;
  const theirs = (key: string) => upstream.numbers[key] ?? Number.NaN;
  return [
    ...times.map((key) => aim(key, numbers[key], share * theirs(key))),
    aim("MiB", numbers.rssPeakMiB, 1.5 * theirs("rssPeakMiB") + 60),
  ];
}

/** Returns "met", or what was missed and by how much. */
export function verdict(aims: readonly Aim[]): string {
  const missed = aims.filter(({ measured, limit }) => !(measured <= limit));
  if (missed.length === 0) return "met";
  return missed
    .map(({ what, measured, limit }) => `**${what} ${measured} > ${rounded(limit)}**`)
    .join(", ");
}

function waveAims({ cell, numbers }: Pick<Measured, "cell" | "numbers">): readonly Aim[] {
  const seen = numbers.nodesWithEvent;
  return [
    aim("listings", numbers.listings, MOST_LISTINGS_A_WAVE),
    aim("writes a node", numbers.nodeWritesPerItem, WRITES_A_NODE),
    aim("nodes without Event", seen === undefined ? undefined : cell.nodes - seen, 0),
    ...(numbers.ledgerRuns === undefined
      ? []
      : [aim("runs not in the ledger", cell.nodes - numbers.ledgerRuns, 0)]),
  ];
}

function besides({ cell, numbers }: Measured, upstream: Measured): readonly Aim[] {
  const theirs = upstream.numbers.seconds ?? Number.NaN;
  const seconds = {
    default: Math.max(0.05 * theirs, 1.15 * (numbers.createSeconds ?? 0) + 2),
    tuned: theirs,
    throttled: 0.1 * theirs,
  }[cell.flags];
  const memory = 1.5 * (upstream.numbers.rssPeakMiB ?? Number.NaN) + 60;
  return [aim("seconds", numbers.seconds, seconds), aim("MiB", numbers.rssPeakMiB, memory)];
}

const SHARE_OF_COLD_TIME = 1.15;
const SHARE_OF_WARM_CPU = 1.5;

/** Covers both waves: records are counted after the second. */
function warmAims({ cell, numbers }: Measured, upstream: Measured | undefined): readonly Aim[] {
  const both = waveAims({ cell: { ...cell, nodes: 2 * cell.nodes }, numbers });
  if (upstream === undefined) return both;
  const theirs = (key: string) => upstream.numbers[key] ?? Number.NaN;
  const most = (key: string, share: number) => aim(key, numbers[key], share * theirs(key));
  return [
    ...both,
    most("cold.seconds", SHARE_OF_COLD_TIME),
    most("seconds", 1),
    most("cpuSeconds", SHARE_OF_WARM_CPU),
    aim("MiB", numbers.rssPeakMiB, 1.5 * theirs("rssPeakMiB") + 60),
  ];
}

/** One listing per pass, plus one that may begin within any span of time, plus one while there are no nodes yet. */
function routeAims({ cell, numbers }: Measured): readonly Aim[] {
  const passes = (seconds: number) => Math.floor(seconds / ROUTE_PERIOD_SECONDS) + 1;
  const { seconds = Number.NaN, initSeconds = 0 } = numbers;
  return [
    aim("route listings", numbers.routeListings, passes(Math.max(seconds, initSeconds)) + 1),
    aim("idle route listings", numbers["steady.routeListings"], passes(IDLE_SECONDS_OF_ROUTES)),
    aim("route creations", numbers.routeCreations, cell.nodes),
  ];
}

function routesBeside({ cell, numbers }: Measured, upstream: Measured): readonly Aim[] {
  const share = cell.flags === "default" ? SHARE_OF_DEFAULT_TIMES : 1;
  const theirs = (key: string) => upstream.numbers[key] ?? Number.NaN;
  return [
    aim("seconds", numbers.seconds, share * theirs("seconds")),
    aim("MiB", numbers.rssPeakMiB, 1.5 * theirs("rssPeakMiB") + 60),
  ];
}

/** Something that was not measured meets no aim. */
function aim(what: string, measured: number | undefined, limit: number): Aim {
  return { what, measured: measured ?? Number.NaN, limit };
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}
