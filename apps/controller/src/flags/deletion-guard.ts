import { formatGoDuration, parseGoDuration } from "./go-duration.ts";
import { type FlagKind, FlagProblem } from "./kinds.ts";

/** `--node-deletion-guard`: at most the larger of `nodes` and `percent` of the nodes within `windowMs`; undefined: off. */
export interface DeletionGuard {
  readonly nodes: number;
  readonly percent: number;
  readonly windowMs: number;
}

export const deletionGuard: FlagKind<DeletionGuard | undefined> = {
  label: "nodes,percent%,window|off",
  parse: (text) => {
    if (text === "off") return undefined;
    const match = /^(\d+),(\d+)%,(.+)$/.exec(text);
    const windowMs = parseGoDuration(match?.[3] ?? "");
    if (match === null || windowMs === undefined || windowMs <= 0 || Number(match[2]) > 100) {
      throw new FlagProblem("must be off, or nodes, percentage and window such as 5,10%,10m");
    }
    return { nodes: Number(match[1]), percent: Number(match[2]), windowMs };
  },
  format: (guard) =>
    guard === undefined
      ? "off"
      : `${guard.nodes},${guard.percent}%,${shortDuration(guard.windowMs)}`,
};

/** As users write it: without the minutes and seconds that are zero at its end. */
function shortDuration(ms: number): string {
  return formatGoDuration(ms)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}
