import {
  type Attempt,
  attemptSchema,
  conditionSchema,
  type DeliveryState,
  deliveryStateSchema,
  type Phase,
  phaseSchema,
} from "@cloudwright/core/model/notifications";
import { uuidV7 } from "@cloudwright/core/model/values/ids";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, Webhook, WebhookDelivery } from "../generated/client.ts";
import type { VerbContext } from "../operations/verb.ts";
import { orUndefined, readJson, readTime } from "../sql/stored-json.ts";
import { claimDelivery, dropDeliveries, nextDelivery } from "../sql/webhooks.ts";
import { type ClusterAccess, clusterAccessOf, mayReach } from "../users/cluster-access.ts";
import { isDisabled } from "../users/user.ts";
import type { DeliveriesPage, DeliveryView, WebhookView } from "../views/webhooks.ts";
import { formOf, rulesOf } from "./webhooks.ts";

/** How long messages are kept, and how many of each webhook. */
const DELIVERIES_KEPT = { ms: 30 * 86_400_000, most: 1_000 } as const;

/** The content of a message; `clusterId` is null for a test and for messages about accounts. */
export interface NewMessage
  extends Pick<
    WebhookDelivery,
    | ("webhookId" | "clusterId" | "clusterName" | "alarm" | "condition")
    | ("objectKind" | "objectName" | "count" | "sentence" | "path")
  > {
  readonly phase: Phase;
  readonly since: number | undefined;
}

/** Adds a message that is due at once; `claimedUntil` is set when the adding process sends it itself. */
export async function insertDelivery(
  tx: Prisma.TransactionClient,
  { since, ...message }: NewMessage,
  { now, claimedUntil }: { readonly now: number; readonly claimedUntil?: number },
): Promise<string> {
  const id = uuidV7(now, Math.random);
  await tx.webhookDelivery.create({
    data: {
      ...{ id, ...message, state: "pending", attempts: [] },
      since: since === undefined ? null : new Date(since),
      ...{ createdAt: new Date(now), nextAt: new Date(now) },
      claimedUntil: claimedUntil === undefined ? null : new Date(claimedUntil),
    },
  });
  return id;
}

/** A message with what is needed to send it. */
export interface DueDelivery {
  readonly row: WebhookDelivery;
  readonly attempts: readonly Attempt[];
  readonly webhook: Webhook;
  /** Why it may no longer be sent; undefined while it may. */
  readonly refusal: string | undefined;
}

/** Claims the message that has been due the longest; undefined when none is due. */
export async function claimDue(db: Database, now: number): Promise<DueDelivery | undefined> {
  const id = await claimDelivery(db.pool, now);
  return id === undefined ? undefined : readDue(db, id);
}

/** Returns when the next message is due; undefined when none waits. */
export function nextDue(
  { pool }: Pick<Database, "pool">,
  now: number,
): Promise<number | undefined> {
  return nextDelivery(pool, now);
}

export async function readDue({ prisma }: Database, id: string): Promise<DueDelivery | undefined> {
  const found = await prisma.webhookDelivery.findUnique({
    where: { id },
    include: { webhook: { include: { owner: true } } },
  });
  if (found === null) return undefined;
  const { webhook, ...row } = found;
  const attempts = attemptsOf(row);
  return { row, attempts, webhook, refusal: refusalOf(webhook.owner, row.clusterId) };
}

/** Checks at the time of sending that the webhook's user may see the message's cluster. */
function refusalOf(
  owner: Prisma.WebhookGetPayload<{ include: { owner: true } }>["owner"],
  clusterId: string | null,
): string | undefined {
  if (owner === null) return undefined;
  if (isDisabled(owner)) return "Its user is disabled.";
  if (clusterId === null || mayReach(clusterAccessOf(owner), clusterId)) return undefined;
  return "Its user may no longer see this cluster.";
}

export interface Settled {
  readonly state: DeliveryState;
  readonly problem: string | undefined;
  readonly attempts: readonly Attempt[];
  /** For a pending message. */
  readonly nextAt: number | undefined;
}

/** Records the result of an attempt, unless the message has ended meanwhile. */
export async function settleDelivery(
  { prisma }: Database,
  id: string,
  { state, problem, attempts, nextAt }: Settled,
): Promise<void> {
  await prisma.webhookDelivery.updateMany({
    where: { id, state: "pending" },
    data: {
      ...{ state, problem: problem ?? null, attempts: attempts.map((attempt) => ({ ...attempt })) },
      nextAt: nextAt === undefined ? null : new Date(nextAt),
      claimedUntil: null,
      endedAt: state === "pending" ? null : new Date(),
    },
  });
}

export function dropOldDeliveries(db: Database, now: number): Promise<number> {
  const { ms, most } = DELIVERIES_KEPT;
  return dropDeliveries(db.pool, { before: new Date(now - ms), keep: most });
}

/** A reader sees their own webhooks, and those of the clusters that they may see. */
type Reader = Pick<VerbContext, "db" | "actor">;

function readable({ actor }: Reader): Prisma.WebhookWhereInput {
  const access = actor.clusters ?? "all";
  const ofClusters = access === "all" ? { not: null } : { in: [...access] };
  return { OR: [{ ownerId: actor.id }, { clusterId: ofClusters }] };
}

/** Lists the user's own webhooks first, then those of clusters by name. */
export async function listWebhooks(reader: Reader): Promise<readonly WebhookView[]> {
  const { prisma } = reader.db;
  const rows = await prisma.webhook.findMany({
    where: readable(reader),
    include: {
      deliveries: { orderBy: { id: "desc" }, take: 1 },
      _count: { select: { alarms: { where: { notifiedAt: { not: null } } } } },
    },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const ids = rows.flatMap(({ clusterId }) => clusterId ?? []);
  const clusters = await prisma.cluster.findMany({ where: { id: { in: ids } } });
  const nameOf = (id: string) => clusters.find((each) => each.id === id)?.name ?? id;
  const views = rows.map(({ deliveries: [newest], _count, ...row }) =>
    webhookView(row, {
      cluster:
        row.clusterId === null ? undefined : { id: row.clusterId, name: nameOf(row.clusterId) },
      mayChange: row.ownerId === reader.actor.id || reader.actor.role === "admin",
      newest: newest === undefined ? undefined : deliveryView(newest, row),
      open: _count.alarms,
    }),
  );
  const place = ({ cluster }: WebhookView) => cluster?.name ?? "";
  return views.toSorted((left, right) => place(left).localeCompare(place(right)));
}

function webhookView(
  row: Webhook,
  more: Pick<WebhookView, "cluster" | "mayChange" | "newest" | "open">,
): WebhookView {
  const { id, name, origin, createdBy } = row;
  const until = readTime(row.previousUntil);
  return {
    ...{ id, name, origin, createdBy, form: formOf(row), rules: rulesOf(row), ...more },
    pausedAt: readTime(row.pausedAt),
    createdAt: row.createdAt.getTime(),
    previousUntil: until !== undefined && until > Date.now() ? until : undefined,
  };
}

export const deliveriesSchema = z.object({
  webhook: z.uuid().optional(),
  states: z.array(deliveryStateSchema).max(4).readonly().optional(),
  cursor: z.uuid().optional(),
  limit: z.int().min(1).max(100).default(25),
});
export type DeliveriesInput = z.infer<typeof deliveriesSchema>;

/** Lists messages, newest first, of all webhooks that the reader may see or of one. */
export async function listDeliveries(
  reader: Reader,
  { webhook, states, cursor, limit }: DeliveriesInput,
): Promise<DeliveriesPage> {
  const rows = await reader.db.prisma.webhookDelivery.findMany({
    where: {
      webhook: readable(reader),
      AND: [{ OR: [{ clusterId: null }, { clusterId: inReach(reader.actor.clusters) }] }],
      ...(webhook === undefined ? {} : { webhookId: webhook }),
      ...(states === undefined ? {} : { state: { in: [...states] } }),
      ...(cursor === undefined ? {} : { id: { lt: cursor } }),
    },
    include: { webhook: true },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ webhook: of, ...row }) => deliveryView(row, of)),
    next: rows.length > limit ? shown.at(-1)?.id : undefined,
  };
}

function inReach(access: ClusterAccess | undefined): Prisma.StringNullableFilter {
  return access === undefined || access === "all" ? { not: null } : { in: [...access] };
}

export function deliveryView(
  row: WebhookDelivery,
  { id, name }: Pick<Webhook, "id" | "name">,
): DeliveryView {
  return {
    ...{ id: row.id, webhook: { id, name } },
    cluster: orUndefined(row.clusterId),
    clusterName: row.clusterName,
    condition: conditionSchema.safeParse(row.condition).data,
    phase: readJson(phaseSchema, row.phase, "begins"),
    ...{ count: row.count, sentence: row.sentence, path: row.path },
    state: readJson(deliveryStateSchema, row.state, "failed"),
    problem: orUndefined(row.problem),
    attempts: attemptsOf(row),
    createdAt: row.createdAt.getTime(),
    nextAt: readTime(row.nextAt),
    endedAt: readTime(row.endedAt),
  };
}

function attemptsOf({ attempts }: Pick<WebhookDelivery, "attempts">): readonly Attempt[] {
  return readJson(z.array(attemptSchema), attempts, []);
}
