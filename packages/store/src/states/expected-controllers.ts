import { type ControllerName, inOrder } from "@cloudwright/core/model/controller-names";

/** The controllers whose word on an object is waited for; undefined where no process has said which run. */
export type Expected = readonly ControllerName[] | undefined;

/** Of a cluster: those that act, and those of dry runs, which speak of what nobody acts on. */
export interface ExpectedControllers {
  readonly acting: Expected;
  readonly dryRun: Expected;
}

/** The newest heartbeat of a process, as far as it says what runs. */
export interface InstanceNow {
  readonly leader: boolean;
  readonly dryRun: boolean;
  readonly leaseTransitions: number;
  /** Milliseconds since the epoch. */
  readonly heardAt: number;
  /** The Lease that it leads by; undefined without an election. */
  readonly lease: string | undefined;
  /** What runs in it, or is about to be started. */
  readonly controllers: readonly ControllerName[];
}

/** A leader that died says until the end that it leads: after so long beside a process that lives it counts no more. */
const SILENT_MS = 120_000;

/**
 * Which controllers run, from all processes of a cluster: of those that led by one Lease the newest term counts, and leaders
 * by different Leases (leader migration) each run some. While nobody leads, what was known stays.
 */
export function expectedControllers(
  instances: readonly InstanceNow[],
  known: ExpectedControllers,
): ExpectedControllers {
  const running = (dryRun: boolean) =>
    runningIn(instances.filter((instance) => instance.dryRun === dryRun));
  return {
    acting: running(false) ?? known.acting,
    dryRun: running(true) ?? known.dryRun,
  };
}

function runningIn(instances: readonly InstanceNow[]): Expected {
  const newest = Math.max(...instances.map(({ heardAt }) => heardAt));
  const leaders = instances.filter(
    (one) => one.leader && newest - one.heardAt <= SILENT_MS && !isFollowed(one, instances),
  );
  if (leaders.length === 0) return undefined;
  return inOrder(leaders.flatMap(({ controllers }) => controllers));
}

function isFollowed(one: InstanceNow, instances: readonly InstanceNow[]): boolean {
  return instances.some(
    (other) =>
      other.leader &&
      one.lease !== undefined &&
      other.lease === one.lease &&
      other.leaseTransitions > one.leaseTransitions,
  );
}

/** Which of the two an object is judged by. */
export function expectedOf(
  { acting, dryRun }: ExpectedControllers,
  object: { readonly dryRun: boolean },
): Expected {
  return object.dryRun ? dryRun : acting;
}
