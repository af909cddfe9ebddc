import type { IncidentSubject } from "@cloudwright/core/model/incident-subject";
import { t } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectRefOf } from "@cloudwright/core/model/object-ref";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { Database } from "../database/database.ts";
import { OperationError } from "../operations/errors.ts";
import { runDetail } from "../queries/runs/runs.ts";
import { listProblems } from "../sql/objects/health.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import { type IncidentAbout, TEXT_MOST } from "./frozen-pieces.ts";
import { objectPart, type PartInput, type SnapshotPart } from "./object-part.ts";
import { recentOf } from "./recent.ts";
import { planOf } from "./run-part.ts";
import { type IncidentSnapshot, snapshotSchema } from "./snapshot-schema.ts";

type Of<Kind extends IncidentAbout["kind"]> = PartInput<IncidentAbout & { readonly kind: Kind }>;

/**
 * Captures what the ledger says at this moment about the subject, as its pages show it. The snapshot is read here and not sent by a page,
 * so that nobody can make it up. Throws OperationError NotFound, and Limit when it is too large.
 */
export async function buildSnapshot(
  db: Database,
  input: PartInput<IncidentAbout>,
): Promise<IncidentSnapshot> {
  const { cluster, about, now } = input;
  const [frame, part] = await Promise.all([frameOf(db, cluster), partOf(db, input)]);
  const snapshot = bounded({ version: 2, takenAt: now, ...frame, about, ...part });
  if (Buffer.byteLength(JSON.stringify(snapshot)) <= SNAPSHOT_MOST) return snapshot;
  throw new OperationError("Limit", () => t`This is too large to store as one incident.`);
}

/** Bounds texts from outside, such as the message in a reason, which may have any length. */
function bounded(snapshot: IncidentSnapshot): IncidentSnapshot {
  const kept = JSON.stringify(snapshot, (_, value: unknown) =>
    typeof value === "string" ? boundedText(value, TEXT_MOST) : value,
  );
  return snapshotSchema.parse(JSON.parse(kept));
}

/** Limit on the snapshot's JSON text, in bytes. */
const SNAPSHOT_MOST = 512 * 1024;

/** Returns the cluster, and its leader with its last heartbeat. */
async function frameOf(db: Database, id: string) {
  const [cluster, leader] = await Promise.all([
    db.prisma.cluster.findUnique({ where: { id } }),
    db.prisma.controllerInstance.findFirst({
      where: { clusterId: id, leader: true },
      orderBy: { heardAt: "desc" },
    }),
  ]);
  if (cluster === null) {
    throw new OperationError("NotFound", unknownCluster);
  }
  return {
    cluster: { id, name: cluster.name, provider: cluster.provider },
    controller:
      leader === null
        ? undefined
        : {
            ...{ identity: leader.identity, version: leader.version },
            heardAt: leader.heardAt.getTime(),
          },
  };
}

function partOf(
  db: Database,
  { about, ...input }: PartInput<IncidentAbout>,
): Promise<SnapshotPart> {
  switch (about.kind) {
    case "run":
      return runPart(db, { ...input, about });
    case "object":
      return objectPart(db, { ...input, about });
    case "problem":
      return problemPart(db, { ...input, about });
  }
}

async function runPart(db: Database, { cluster, about, now }: Of<"run">): Promise<SnapshotPart> {
  const run = await runDetail(db, { cluster, id: about.id });
  const { row, instance } = run;
  const { startedAt, attempt, cloudCalls, kubeCalls, reason } = row;
  const object = namedObject(row.object);
  return {
    ...{ object, subject: { kind: "run", controller: row.controller, object }, reason },
    facts: { startedAt, attempt, cloudCalls, kubeCalls, instance },
    ...{ parts: [], partsLeftOut: 0, timeline: [], differences: [], plan: planOf(run) },
    ...(await recentOf(db, { cluster, object, until: now })),
  };
}

/** Drops the UID: an object of a snapshot is found by its name. */
function namedObject({ kind, namespace, name }: ObjectRef): ObjectRef {
  return { kind, ...(namespace === undefined ? {} : { namespace }), name };
}

/** Returns the objects with the same cause; recent runs and entries are those of the oldest object. */
async function problemPart(
  db: Database,
  { cluster, about, now }: Of<"problem">,
): Promise<SnapshotPart> {
  const problems = await listProblems(db.pool, cluster, now);
  const problem = problems.find(({ id }) => id === about.id);
  const [oldest] = problem?.members ?? [];
  if (problem === undefined || oldest === undefined) {
    throw new OperationError("NotFound", () => t`This problem no longer exists: reload the page.`);
  }
  const { of, count, since, members, kind } = problem;
  const object = objectRefOf({ kind: of, name: oldest.name });
  return {
    object,
    subject: subjectOf(object, count),
    ...{ state: kind, since, reason: oldest.reason, nextAt: oldest.nextAt, facts: {} },
    parts: members.map(({ name, reason, since: memberSince, nextAt }) => ({
      ...{ name, state: kind, since: memberSince, nextAt, failures: 0, reason },
    })),
    partsLeftOut: Math.max(0, count - members.length),
    ...{ timeline: [], differences: [], plan: undefined },
    ...(await recentOf(db, { cluster, object, until: now })),
  };
}

function subjectOf(oldest: ObjectRef, count: number): IncidentSubject {
  return count === 1
    ? { kind: "object", object: oldest }
    : { kind: "objects", of: oldest.kind, count };
}
