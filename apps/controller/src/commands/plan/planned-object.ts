import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { RunEnd } from "@cloudwright/core/model/run";
import type { Unseen } from "../../process/leading/leading.ts";

/** What all selected controllers found, each object once for each controller. */
export interface PlanPreview {
  /** The UID of the namespace kube-system. */
  readonly cluster: string;
  readonly server: string;
  readonly provider: string;
  readonly controllers: readonly ControllerName[];
  /** Those of them that this provider and these flags let run. */
  readonly running: readonly ControllerName[];
  readonly atMs: number;
  readonly objects: readonly PlannedObject[];
  /** What could not be listed: things in the cloud that nothing in the cluster names may be missing. */
  readonly unseen: readonly Unseen[];
}

export interface PlannedObject {
  readonly verdict: Verdict;
  /** The dry run that found it; all that it says is kept. */
  readonly run: RunEnd;
}

export const VERDICTS = ["change", "failed", "blocked", "waiting", "inStep"] as const;
/**
 * `change`: something would be written. `failed`: it could not be looked at. `blocked`: it waits for the object, the cloud or
 * a user. `waiting`: it comes back by itself. `inStep`: nothing is to be done.
 */
export type Verdict = (typeof VERDICTS)[number];

export function plannedObject(run: RunEnd): PlannedObject {
  return { verdict: verdictOf(run), run };
}

/** 1 comes first: who could not look everywhere does not know that nothing else would be done. */
export function exitCodeOfPlan({
  objects,
  unseen,
}: Pick<PlanPreview, "objects" | "unseen">): 0 | 1 | 2 {
  if (unseen.length > 0 || objects.some(({ verdict }) => verdict === "failed")) return 1;
  return objects.some(({ verdict }) => verdict === "change") ? 2 : 0;
}

function verdictOf({ changes, outcome }: RunEnd): Verdict {
  if (changes.length > 0) return "change";
  switch (outcome) {
    case "blocked":
    case "waiting":
      return outcome;
    case "failed":
    case "timedOut":
    case "interrupted":
      return "failed";
    case "changed":
    case "unchanged":
      return "inStep";
  }
}
