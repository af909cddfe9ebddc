import type { Change } from "@cloudwright/core/model/plan";

/** Each change with a key of its own: a balancer may have several parts changed in one run, which all are its changes. */
export function keyedChanges(
  changes: readonly Change[],
): readonly { readonly key: string; readonly index: number; readonly change: Change }[] {
  return changes.map((change, index) => ({ key: `${index} ${change.kind}`, index, change }));
}
