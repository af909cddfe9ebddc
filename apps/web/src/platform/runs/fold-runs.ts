import type { RunRow } from "@cloudwright/store/views";

/**
 * Consecutive runs of one object that changed nothing for the same reason become one row that says how many. What a person
 * asked for stays a row of its own.
 */
export function foldRuns(runs: readonly RunRow[]): readonly RunRow[] {
  const folded: RunRow[] = [];
  for (const run of runs) {
    const last = folded.at(-1);
    if (last !== undefined && isSameNothing(last, run)) {
      folded[folded.length - 1] = { ...last, folded: last.folded + run.folded };
    } else {
      folded.push(run);
    }
  }
  return folded;
}

function isSameNothing(left: RunRow, right: RunRow): boolean {
  return (
    left.trigger.kind !== "intent" &&
    right.trigger.kind !== "intent" &&
    left.outcome === "unchanged" &&
    right.outcome === "unchanged" &&
    left.controller === right.controller &&
    left.object.name === right.object.name &&
    left.object.namespace === right.object.namespace &&
    left.reason?.code === right.reason?.code &&
    left.dryRun === right.dryRun
  );
}
