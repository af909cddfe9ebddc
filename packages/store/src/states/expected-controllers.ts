import { type ControllerName, inOrder } from "@cloudwright/core/model/controller-names";

/** The controllers whose report on an object is waited for; undefined when no process has said which ones run. */
export type Expected = readonly ControllerName[] | undefined;

/** The expected controllers of a cluster: the acting ones, and those of dry runs, for objects that nobody acts on. */
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
  /** The Lease by which it leads; undefined without an election. */
  readonly lease: string | undefined;
  /** The controllers that run in it, or are about to be started. */
  readonly controllers: readonly ControllerName[];
}

/** A leader that crashed claims to lead until the end: after this long beside a live process it no longer counts. */
const SILENT_MS = 120_000;

/**
 * Returns which controllers run, from all processes of a cluster: among leaders of one Lease the newest term counts, and leaders of
 * different Leases (leader migration) each run some. While nobody leads, the known set stays.
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

/** Returns which of the two applies to an object. */
export function expectedOf(
  { acting, dryRun }: ExpectedControllers,
  object: { readonly dryRun: boolean },
): Expected {
  return object.dryRun ? dryRun : acting;
}
