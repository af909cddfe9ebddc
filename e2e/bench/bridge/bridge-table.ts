import { type Column, show, tableOf } from "../table.ts";
import { type Aim, verdict } from "../verdict.ts";

/** `plug-in`: our own process calls the cloud. `process`: a Go provider in a separate process calls it. */
export type Way = "upstream" | "plug-in" | "process";

/** A wave of nodes with one way of calling the cloud: medians of the runs. */
export interface MeasuredWay {
  readonly way: Way;
  readonly nodes: number;
  readonly runs: number;
  readonly seconds: number;
  /** The range of the seconds, if there was more than one run. */
  readonly range: string | undefined;
  /** Of all processes together. */
  readonly cpuSeconds: number;
  readonly cloudCalls: number;
  readonly loadPerCore: number;
  /** The peak memory of upstream's process, or of ours without the provider's. */
  readonly ownMiB: number;
  readonly providerMiB: number | undefined;
}

const SHARE_OF_PLUG_IN = 1.1;
/** Two runs of the same program may differ by this much. */
const SHARE_OF_MEMORY = 1.05;

/** Formats one row per wave, with a verdict that compares a provider process with the other two of its size. */
export function bridgeTable(about: string, measured: readonly MeasuredWay[]): string {
  const columns: readonly Column<MeasuredWay>[] = [
    ["nodes", ({ nodes }) => nodes.toLocaleString("en-GB")],
    ["who", ({ way, runs }) => `${NAMES[way]}${runs > 1 ? `, median of ${runs}` : ""}`],
    [
      "all initialised, s",
      ({ seconds, range }) => (range === undefined ? show(seconds) : `${show(seconds)} [${range}]`),
    ],
    ["× plug-in", (each) => ratioTo(beside("plug-in", each, measured), each)],
    ["cloud calls", ({ cloudCalls }) => show(cloudCalls)],
    ["CPU s, all processes", ({ cpuSeconds }) => show(cpuSeconds)],
    ["RSS peak, MiB", ({ ownMiB }) => show(ownMiB)],
    ["of the provider's process", ({ providerMiB }) => show(providerMiB)],
    ["load a core", ({ loadPerCore }) => show(loadPerCore)],
    ["aims", (each) => (each.way === "process" ? verdict(aimsOf(each, measured)) : "")],
  ];
  return [about, tableOf(columns, measured)].join("\n\n");
}

const NAMES: Readonly<Record<Way, string>> = {
  upstream: "upstream",
  "plug-in": "Cloudwright, plug-in",
  process: "Cloudwright, Go provider process",
};

function ratioTo(plugin: MeasuredWay | undefined, { way, seconds }: MeasuredWay): string {
  return plugin === undefined || way === "plug-in" ? "" : (seconds / plugin.seconds).toFixed(2);
}

function aimsOf(each: MeasuredWay, measured: readonly MeasuredWay[]): readonly Aim[] {
  const plugin = beside("plug-in", each, measured);
  const upstream = beside("upstream", each, measured);
  return [
    {
      what: "seconds",
      measured: each.seconds,
      limit: SHARE_OF_PLUG_IN * (plugin?.seconds ?? Number.NaN),
    },
    {
      what: "MiB of ours",
      measured: each.ownMiB,
      limit: SHARE_OF_MEMORY * (plugin?.ownMiB ?? Number.NaN),
    },
    {
      what: "MiB of the provider's",
      measured: each.providerMiB ?? Number.NaN,
      limit: upstream?.ownMiB ?? Number.NaN,
    },
  ];
}

function beside(way: Way, { nodes }: MeasuredWay, measured: readonly MeasuredWay[]) {
  return measured.find((other) => other.way === way && other.nodes === nodes);
}
