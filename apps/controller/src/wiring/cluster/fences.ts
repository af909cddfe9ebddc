import type { Election } from "@cloudwright/core/kube/lease/election";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Placement } from "../placement/placement.ts";
import type { ProcessContext } from "../process-context.ts";

/** Whether this process may write right now; asked before each write. */
export type Fence = () => boolean;

/** The fence of each controller's writes is the Lease that it runs under (spec/00 §10). */
export interface Fences {
  readonly main: Fence;
  /** Of the elections' own writes, which is not closed before a term is too old to be renewed. */
  readonly election: Fence;
  of(controller: ControllerName): Fence;
}

/** Each undefined until it is stood for. */
export interface Elections {
  readonly election: Pick<Election, "isLeader" | "mayRenew"> | undefined;
  /** Of the second Lease. */
  readonly migration: Pick<Election, "isLeader" | "mayRenew"> | undefined;
}

/** Without an election there is nobody to collide with; a dry run never writes. */
export function fencesOf(
  { flags }: Pick<ProcessContext, "flags">,
  elections: Elections,
  { migrated }: Pick<Placement, "migrated">,
): Fences {
  const fenceOf =
    (lease: keyof Elections): Fence =>
    () => {
      if (flags["dry-run"]) return false;
      return flags["leader-elect"] ? elections[lease]?.isLeader() === true : true;
    };
  const main = fenceOf("election");
  const second = fenceOf("migration");
  const election = () =>
    [elections.election, elections.migration].every((each) => each?.mayRenew() !== false);
  return { main, election, of: (controller) => (migrated.includes(controller) ? second : main) };
}

/** Of a process that only looks. */
export const NEVER_WRITE: Fences = {
  main: () => false,
  election: () => false,
  of: () => () => false,
};
