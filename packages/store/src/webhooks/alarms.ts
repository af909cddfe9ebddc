import { type Condition, conditionSchema, type Rules } from "@cloudwright/core/model/notifications";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Prisma, WebhookAlarm } from "../generated/client.ts";
import { lockUntilEnd } from "../sql/intents.ts";
import { readJson, readTime } from "../sql/stored-json.ts";
import { type ClusterAccess, clusterAccessOf } from "../users/cluster-access.ts";
import { isDisabled } from "../users/user.ts";
import { insertDelivery, type NewMessage } from "./deliveries.ts";
import { rulesOf } from "./webhooks.ts";

/** A webhook to notify, with its clusters. */
export interface WatchedWebhook {
  readonly id: string;
  readonly clusters: ClusterAccess;
  /** Whether it is a user's own webhook about all clusters, which is also notified about accounts. */
  readonly seesAccounts: boolean;
  readonly rules: Rules;
}

/** Returns the webhooks that are not paused, except those of disabled users. */
export async function watchedWebhooks({ prisma }: Database): Promise<readonly WatchedWebhook[]> {
  const rows = await prisma.webhook.findMany({
    where: { pausedAt: null },
    include: { owner: true },
  });
  return rows
    .filter(({ owner }) => owner === null || !isDisabled(owner))
    .map(({ owner, clusterId, ...row }) => {
      const ofCluster = clusterId === null ? [] : [clusterId];
      const clusters = owner === null ? ofCluster : clusterAccessOf(owner);
      return { id: row.id, clusters, seesAccounts: clusters === "all", rules: rulesOf(row) };
    });
}

/** A persisting condition, as one webhook is notified of it. */
export interface Alarm {
  readonly key: string;
  readonly condition: Condition;
  readonly cause: string;
  /** Since when each of its objects is affected, milliseconds since the epoch. */
  readonly members: Readonly<Record<string, number>>;
  /** The most objects that were affected at once, and their common title. */
  readonly most: number;
  readonly title: string;
  readonly foundAt: number;
  readonly notifiedAt: number | undefined;
}

const membersSchema = z.record(z.string(), z.number());

/** Returns all persisting alarms of a cluster, by webhook. */
export async function readAlarms(
  prisma: Pick<Prisma.TransactionClient, "webhookAlarm">,
  cluster: string,
): Promise<ReadonlyMap<string, readonly Alarm[]>> {
  const rows = await prisma.webhookAlarm.findMany({ where: { clusterId: cluster } });
  const alarms = new Map<string, Alarm[]>();
  for (const row of rows) {
    const read = alarmOf(row);
    const known = alarms.get(row.webhookId) ?? [];
    alarms.set(row.webhookId, read === undefined ? known : [...known, read]);
  }
  return alarms;
}

/** Returns undefined for a condition that only another release knows. */
function alarmOf(row: WebhookAlarm): Alarm | undefined {
  const condition = conditionSchema.safeParse(row.condition).data;
  if (condition === undefined) return undefined;
  const { key, cause, most, title } = row;
  return {
    ...{ key, condition, cause, most, title },
    members: readJson(membersSchema, row.members, {}),
    foundAt: row.foundAt.getTime(),
    notifiedAt: readTime(row.notifiedAt),
  };
}

/** The changes of a webhook's alarms, and the messages to send. */
export interface AlarmChanges {
  readonly put: readonly Alarm[];
  /** The keys of the alarms to drop. */
  readonly drop: readonly string[];
  readonly messages: readonly NewMessage[];
}

export interface AlarmsInput {
  readonly webhook: string;
  readonly cluster: string;
  readonly now: number;
  /** Decides from the persisting alarms. */
  readonly decide: (alarms: readonly Alarm[]) => AlarmChanges;
}

/**
 * Changes alarms and adds their messages in one transaction. If several processes do so at once, one is first, and the others decide by its
 * result. Returns how many messages were added.
 */
export function changeAlarms(
  { prisma }: Database,
  { webhook, cluster, now, decide }: AlarmsInput,
): Promise<number> {
  return prisma.$transaction(async (tx) => {
    await lockUntilEnd(tx, `webhook ${webhook}`);
    const there = await tx.webhook.count({ where: { id: webhook, pausedAt: null } });
    if (there === 0) return 0;
    const alarms = (await readAlarms(tx, cluster)).get(webhook);
    const { put, drop, messages } = decide(alarms ?? []);
    for (const alarm of put) await putAlarm(tx, { webhook, cluster, alarm });
    if (drop.length > 0) {
      await tx.webhookAlarm.deleteMany({ where: { webhookId: webhook, key: { in: [...drop] } } });
    }
    for (const message of messages) await insertDelivery(tx, message, { now });
    return messages.length;
  });
}

async function putAlarm(
  tx: Prisma.TransactionClient,
  {
    webhook,
    cluster,
    alarm,
  }: { readonly webhook: string; readonly cluster: string; readonly alarm: Alarm },
): Promise<void> {
  const { key, condition, cause, members, most, title, foundAt, notifiedAt } = alarm;
  const data = {
    ...{ cause, members: { ...members }, most, title },
    notifiedAt: notifiedAt === undefined ? null : new Date(notifiedAt),
  };
  await tx.webhookAlarm.upsert({
    where: { webhookId_key: { webhookId: webhook, key } },
    update: data,
    create: {
      ...{ webhookId: webhook, key, clusterId: cluster, condition },
      ...data,
      foundAt: new Date(foundAt),
    },
  });
}
