import { type ControllerName, inOrder } from "@cloudwright/core/model/controller-names";
import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import type pg from "pg";
import { z } from "zod";
import { readJson } from "../sql/stored-json.ts";

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

const NOTHING_KNOWN: ExpectedControllers = { acting: undefined, dryRun: undefined };
const NOTHING_SAID: z.infer<typeof OF_PROCESS> = {};

/** What was known of a cluster when the ledger was last written. */
export async function readExpected(
  client: Pick<pg.Client, "query">,
  cluster: string,
): Promise<ExpectedControllers> {
  const { rows } = await client.query<{ expected: unknown }>(
    "SELECT expected FROM clusters WHERE id = $1",
    [cluster],
  );
  const { acting, dryRun } = readJson(
    expectedSchema,
    rows[0]?.expected ?? undefined,
    NOTHING_KNOWN,
  );
  return { acting, dryRun };
}

/** What the processes of a cluster say now. */
export async function readInstances(
  client: Pick<pg.Client, "query">,
  cluster: string,
): Promise<readonly InstanceNow[]> {
  const { rows } = await client.query<StoredInstance>(
    `SELECT leader, dry_run, lease_transitions, heard_at, controllers, process
       FROM controller_instances WHERE cluster_id = $1`,
    [cluster],
  );
  return rows.map((row) => {
    const { lease, idle = [] } = readJson(OF_PROCESS, row.process, NOTHING_SAID);
    return {
      leader: row.leader,
      dryRun: row.dry_run,
      leaseTransitions: row.lease_transitions ?? 0,
      heardAt: row.heard_at.getTime(),
      lease,
      controllers: [
        ...readJson(CONTROLLERS_OF, row.controllers, []).map(({ name }) => name),
        ...idle.filter(({ cause }) => cause === "starting").map(({ name }) => name),
      ],
    };
  });
}

interface StoredInstance {
  readonly leader: boolean;
  readonly dry_run: boolean;
  readonly lease_transitions: number | null;
  readonly heard_at: Date;
  readonly controllers: unknown;
  readonly process: unknown;
}

const OF_HEARTBEAT = heartbeatSchema.unwrap().shape;
const CONTROLLERS_OF = OF_HEARTBEAT.controllers;
const OF_PROCESS = heartbeatSchema.unwrap().pick({ lease: true, idle: true });
const NAMES = z.array(CONTROLLERS_OF.unwrap().element.shape.name).readonly().optional();
const expectedSchema = z.object({ acting: NAMES, dryRun: NAMES });

/** Which of the two an object is judged by. */
export function expectedOf(
  { acting, dryRun }: ExpectedControllers,
  object: { readonly dryRun: boolean },
): Expected {
  return object.dryRun ? dryRun : acting;
}
