import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { RunEnd } from "@cloudwright/core/model/run";
import type { Unseen } from "../../process/leading/leading.ts";

/** What all selected controllers found, with one entry for each object and controller. */
export interface PlanPreview {
  /** The UID of the namespace kube-system. */
  readonly cluster: string;
  readonly server: string;
  readonly provider: string;
  readonly controllers: readonly ControllerName[];
  /** The selected controllers that this provider and these flags let run. */
  readonly running: readonly ControllerName[];
  readonly atMs: number;
  readonly objects: readonly PlannedObject[];
  /** What could not be listed, so that cloud resources without an object in the cluster may be missing. */
  readonly unseen: readonly Unseen[];
}

export interface PlannedObject {
  readonly verdict: Verdict;
  /** The dry run, with everything that it reports. */
  readonly run: RunEnd;
}

export const VERDICTS = ["change", "failed", "blocked", "waiting", "inStep"] as const;
/**
 * `change`: something would be written. `failed`: it could not be observed. `blocked`: it waits for the object, the cloud or a
 * user. `waiting`: it is retried by itself. `inStep`: nothing has to be done.
 */
export type Verdict = (typeof VERDICTS)[number];

export function plannedObject(run: RunEnd): PlannedObject {
  return { verdict: verdictOf(run), run };
}

/** Returns 1 before anything else if something could not be observed: then other changes may have been missed. */
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
