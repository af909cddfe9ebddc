import type {
  InitialisationPart,
  InitialisationView,
} from "@cloudwright/store/views/initialisation";

/** A part of the time with its bar; heights are shares of the chart's height. */
export interface DrawnPart {
  readonly from: number;
  readonly to: number;
  readonly part: InitialisationPart | undefined;
  readonly heights: { readonly p50: number; readonly p95: number; readonly step: number };
}

export interface DrawnInitialisation {
  readonly parts: readonly DrawnPart[];
  /** Milliseconds at the top: a duration that is easy to read, as is its half. */
  readonly topMs: number;
}

/** Filters the runs that a part of the time links to. */
export const INITIALISED = "reason:Initialised";

const NONE = { p50: 0, p95: 0, step: 0 };

export function drawInitialisation({ from, to, parts }: InitialisationView): DrawnInitialisation {
  const topMs = roundTop(Math.max(0, ...parts.map((part) => part?.p95Ms ?? 0)));
  const edge = (index: number) => Math.round(from + ((to - from) * index) / parts.length);
  return {
    topMs,
    parts: parts.map((part, index) => ({
      ...{ from: edge(index), to: edge(index + 1), part },
      heights:
        part === undefined
          ? NONE
          : {
              p50: part.p50Ms / topMs,
              p95: part.p95Ms / topMs,
              step: Math.min(1, (part.slowestStep?.p50Ms ?? 0) / topMs),
            },
    })),
  };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Their halves are round as well. */
const ROUND = [
  ...[10, 20, 50, 100, 200, 500],
  ...[1, 2, 4, 10, 20, 30].map((count) => count * SECOND),
  ...[1, 2, 4, 10, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 8, 12, 24].map((count) => count * HOUR),
];

function roundTop(ms: number): number {
  return ROUND.find((round) => round >= ms) ?? Math.ceil(ms / (24 * HOUR)) * 24 * HOUR;
}

/** Counts the nodes of the whole time, and finds the slowest. */
export function summaryOf({ parts }: Pick<InitialisationView, "parts">): {
  readonly nodes: number;
  readonly slowest: InitialisationPart["slowest"] | undefined;
} {
  const known = parts.filter((part) => part !== undefined);
  const slowest = known.map((part) => part.slowest).toSorted((left, right) => right.ms - left.ms);
  return { nodes: known.reduce((sum, { nodes }) => sum + nodes, 0), slowest: slowest[0] };
}
