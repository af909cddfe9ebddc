import { randomUUID } from "node:crypto";
import { incidentSubjectSchema, subjectText } from "@cloudwright/core/model/incident-subject";
import { englishOf, t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, Incident as StoredIncident } from "../generated/client.ts";
import { OperationError } from "../operations/errors.ts";
import { type Attempt, carryOut, type VerbContext } from "../operations/verb.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { isUuid } from "../sql/lists/cursor.ts";
import { readJson } from "../sql/stored-json.ts";
import { storableJson } from "../text/storable-json.ts";
import { storableText } from "../text/storable-text.ts";
import { mayReach } from "../users/cluster-access.ts";
import {
  INCIDENT_TITLE_MOST,
  INCIDENTS_MOST,
  type Incident,
  type IncidentRow,
} from "../views/incidents.ts";
import { buildSnapshot } from "./build-snapshot.ts";
import { aboutSchema } from "./frozen-pieces.ts";
import { keptSnapshotSchema } from "./snapshot-schema.ts";

const clusterSchema = z.object({ cluster: storableText(200).min(1) });

const titleSchema = storableText(400)
  .trim()
  .max(INCIDENT_TITLE_MOST, `A title has at most ${INCIDENT_TITLE_MOST} characters.`)
  .regex(/^\P{Cc}*$/u, "A title is one line of text.");

export const shareIncidentSchema = clusterSchema.extend({
  about: aboutSchema,
  title: titleSchema.optional(),
});
export type ShareIncidentInput = z.infer<typeof shareIncidentSchema>;

/** Stores a snapshot of a run, an object or a problem as of now. Throws OperationError NotFound, and Limit when there are too many. */
export async function shareIncident(
  context: VerbContext,
  { cluster, about, title }: ShareIncidentInput,
): Promise<{ readonly id: string }> {
  const { db, actor } = context;
  const now = Date.now();
  const snapshot = await buildSnapshot(db, { cluster, about, now });
  const { object, subject: subjectParts } = snapshot;
  const subject = englishOf(() => subjectText(subjectParts));
  const id = randomUUID();
  const attempt = {
    action: "account.incident-share",
    needs: "viewer",
    ...{ cluster, object, why: "Shared what was seen", wanted: {} },
  } as const;
  return carryOut(context, attempt, async (tx) => {
    await lockUntilEnd(tx, `incidents of ${cluster}`);
    await requireRoom(tx, { clusterId: cluster, makerId: actor.id });
    await tx.incident.create({
      data: {
        ...{ id, clusterId: cluster, title: titleOf(title), subject },
        subjectParts: JSON.parse(storableJson(subjectParts)),
        snapshot: JSON.parse(storableJson(snapshot)),
        ...{ makerId: actor.id, makerName: actor.name, madeAt: new Date(now) },
      },
    });
    return { result: { id }, audit: { before: null, after: { incident: id, subject } } };
  });
}

/** Returns null for an empty title. */
function titleOf(title: string | undefined): string | null {
  return title === undefined || title === "" ? null : title;
}

async function requireRoom(
  tx: Prisma.TransactionClient,
  { clusterId, makerId }: Pick<StoredIncident, "clusterId" | "makerId">,
): Promise<void> {
  const [ofCluster, ofUser] = [
    await tx.incident.count({ where: { clusterId } }),
    await tx.incident.count({ where: { clusterId, makerId } }),
  ];
  if (ofCluster < INCIDENTS_MOST.cluster && ofUser < INCIDENTS_MOST.user) return;
  throw new OperationError("Limit", () =>
    ofUser < INCIDENTS_MOST.user
      ? t`This cluster has ${INCIDENTS_MOST.cluster} incidents already: delete some that are not needed.`
      : t`You have ${INCIDENTS_MOST.user} incidents of this cluster already: delete some that are not needed.`,
  );
}

type Reader = Pick<VerbContext, "db" | "actor">;

/** Lists the incidents of one cluster, newest first. */
export async function listIncidents(
  reader: Reader,
  { cluster }: { readonly cluster: string },
): Promise<readonly IncidentRow[]> {
  const rows = await newestOf(reader.db.prisma, cluster);
  return rows.map((row) => rowOf(row, reader));
}

/** Yields the same for an export: one cluster has at most one page of incidents. */
export async function* incidentPages(
  { prisma }: Pick<Database, "prisma">,
  { cluster }: { readonly cluster: string },
): AsyncGenerator<readonly Omit<IncidentRow, "mayDelete">[]> {
  yield (await newestOf(prisma, cluster)).map(shownOf);
}

function newestOf(prisma: Database["prisma"], cluster: string): Promise<readonly Listed[]> {
  return prisma.incident.findMany({
    where: { clusterId: cluster },
    omit: { snapshot: true },
    orderBy: [{ madeAt: "desc" }, { id: "asc" }],
  });
}

export const incidentInputSchema = clusterSchema.extend({ id: storableText(200) });
export type IncidentInput = z.infer<typeof incidentInputSchema>;

/** Returns an incident with its snapshot. Throws OperationError NotFound. */
export async function readIncident(
  reader: Reader,
  { cluster, id }: IncidentInput,
): Promise<Incident> {
  const row = await findIncident(reader, { cluster, id });
  return {
    ...rowOf(row, reader),
    snapshot: readJson(keptSnapshotSchema.optional(), row.snapshot, undefined),
  };
}

/** Returns the cluster of an incident, for a user who may see that cluster; otherwise, or when the incident does not exist, undefined. */
export async function clusterOfIncident(reader: Reader, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await reader.db.prisma.incident.findUnique({
    where: { id },
    select: { clusterId: true },
  });
  const isReached = row !== null && mayReach(reader.actor.clusters, row.clusterId);
  return isReached ? row.clusterId : undefined;
}

/** Deletes an incident for good, for its maker or an admin. Throws OperationError NotFound and Forbidden. */
export async function deleteIncident(context: VerbContext, input: IncidentInput): Promise<void> {
  // Without an incident this is not an audited attempt: there is no object that an audit entry could name.
  const found = await findIncident(context, input);
  const { id, subject, makerName } = found;
  const attempt = {
    action: "account.incident-delete",
    needs: undefined,
    cluster: found.clusterId,
    ...{ object: objectOf(found), why: "Deleted what was shared", wanted: { incident: id } },
  } as const;
  return carryOut(context, attempt, async (tx) => {
    requireDeleter(context, found);
    const { count } = await tx.incident.deleteMany({ where: { id } });
    if (count === 0) return { result: undefined };
    const before = { incident: id, subject, madeBy: makerName };
    return { result: undefined, audit: { before, after: null } };
  });
}

function objectOf({ snapshot }: StoredIncident): Attempt["object"] {
  return readJson(keptSnapshotSchema.optional(), snapshot, undefined)?.object;
}

async function findIncident(
  { db }: Pick<Reader, "db">,
  { cluster, id }: IncidentInput,
): Promise<StoredIncident> {
  const row = isUuid(id)
    ? await db.prisma.incident.findFirst({ where: { id, clusterId: cluster } })
    : null;
  if (row !== null) return row;
  throw new OperationError(
    "NotFound",
    () => t`No such incident in this cluster; old ones are removed.`,
  );
}

type Listed = Omit<StoredIncident, "snapshot">;

function rowOf(row: Listed, { actor }: Pick<Reader, "actor">): IncidentRow {
  return { ...shownOf(row), mayDelete: mayDelete(row, actor) };
}

function shownOf({ id, title, subject, subjectParts, makerName: madeBy, madeAt }: Listed) {
  return {
    ...{ id, title: title ?? undefined, subject, madeBy, madeAt: madeAt.getTime() },
    subjectParts: readJson(incidentSubjectSchema, subjectParts, undefined),
  };
}

function mayDelete({ makerId }: Listed, actor: Reader["actor"]): boolean {
  return makerId === actor.id || roleIncludes(actor.role, "admin");
}

function requireDeleter({ actor }: VerbContext, found: StoredIncident): void {
  if (mayDelete(found, actor)) return;
  throw new OperationError(
    "Forbidden",
    () => t`Only ${found.makerName}, who made it, or an admin can delete this incident.`,
  );
}
