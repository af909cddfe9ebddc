import { CONDITION_NAMES, type Condition } from "@cloudwright/core/model/notifications";
import type { Database } from "@cloudwright/store/database/database";
import { waitingIntents } from "@cloudwright/store/intents/intents";
import { clusterReports } from "@cloudwright/store/queries/overview/clusters";
import { mayReach } from "@cloudwright/store/users/cluster-access";
import type { ChainVerification } from "@cloudwright/store/views/chains";
import {
  type Alarm,
  changeAlarms,
  readAlarms,
  type WatchedWebhook,
} from "@cloudwright/store/webhooks/alarms";
import { clusterTroubles } from "@cloudwright/store/webhooks/troubles";
import { changesAnything, decideAlarms, type Watched } from "./decide-alarms.ts";
import {
  approvalTroubles,
  chainTrouble,
  objectTrouble,
  silenceTrouble,
  silentAt,
  type Trouble,
} from "./troubles.ts";

/** The chain of accounts, which is watched as if it were a cluster. */
export const ACCOUNTS = "accounts";

export interface ClusterWatch {
  readonly db: Database;
  readonly cluster: string;
  readonly webhooks: readonly WatchedWebhook[];
  /** The result of the last verification of its chain; undefined before the first. */
  readonly chain: Pick<ChainVerification, "intact" | "sentence"> | undefined;
  readonly now: number;
}

export interface WatchResult {
  /** How many messages were added. */
  readonly added: number;
  /** When it must be checked again without a reported change. */
  readonly dueAt: number | undefined;
}

/** Checks a cluster and notifies its webhooks of conditions that have begun or ended. */
export async function watchCluster(watch: ClusterWatch): Promise<WatchResult> {
  const { db, cluster, webhooks, now } = watch;
  const concerned = webhooks.filter((each) => concerns(each, cluster));
  const alarms = await readAlarms(db.prisma, cluster);
  if (concerned.length === 0 && alarms.size === 0) return { added: 0, dueAt: undefined };
  const found = await findTroubles(watch, concerned);
  const results: WatchResult[] = [];
  for (const webhook of webhooks) {
    const own = alarms.get(webhook.id) ?? [];
    // For a cluster that a webhook no longer covers, nothing is reported, not even an end.
    const rules = concerned.includes(webhook) ? webhook.rules : {};
    const watched = { ...found, webhook: { id: webhook.id, rules }, now };
    results.push(await notify(db, watched, own));
  }
  const dues = [found.dueAt, ...results.map(({ dueAt }) => dueAt)].flatMap((at) => at ?? []);
  return {
    added: results.reduce((sum, { added }) => sum + added, 0),
    dueAt: dues.length === 0 ? undefined : Math.min(...dues),
  };
}

export function concerns({ clusters, seesAccounts }: WatchedWebhook, cluster: string): boolean {
  return cluster === ACCOUNTS ? seesAccounts : mayReach(clusters, cluster);
}

async function notify(
  db: Database,
  watched: Watched,
  alarms: readonly Alarm[],
): Promise<WatchResult> {
  const decision = decideAlarms(watched, alarms);
  const { dueAt } = decision;
  if (!changesAnything(decision)) return { added: 0, dueAt };
  const added = await changeAlarms(db, {
    ...{ webhook: watched.webhook.id, cluster: watched.cluster.id, now: watched.now },
    decide: (newest) => decideAlarms(watched, newest),
  });
  return { added, dueAt };
}

interface Found extends Pick<Watched, "cluster" | "troubles" | "known"> {
  /** When a cluster that reports now would be silent. */
  readonly dueAt: number | undefined;
}

async function findTroubles(
  watch: ClusterWatch,
  concerned: readonly WatchedWebhook[],
): Promise<Found> {
  const { db, cluster, chain, now } = watch;
  const chains = chain === undefined ? [] : [chainTrouble(cluster, chain)];
  const known = new Set<Condition>(chain === undefined ? [] : ["chain"]);
  const reports = cluster === ACCOUNTS ? undefined : await clusterReports(db, cluster);
  if (reports === undefined) {
    const named = { id: cluster, name: cluster === ACCOUNTS ? "Accounts" : cluster };
    return { cluster: named, troubles: present(chains), known, dueAt: undefined };
  }
  const silence = silenceTrouble(reports, now);
  const objects = asksForObjects(concerned) ? await clusterTroubles(db, cluster) : [];
  const waiting = asksFor(concerned, "approval") ? await waitingIntents(db, cluster) : [];
  return {
    cluster: { id: reports.id, name: reports.name },
    troubles: [
      ...objects.map((found) => objectTrouble(cluster, found)),
      ...approvalTroubles(cluster, waiting),
      ...present([...chains, silence]),
    ],
    known: new Set(CONDITION_NAMES.filter((name) => name !== "chain" || known.has("chain"))),
    dueAt: silence === undefined && asksFor(concerned, "silent") ? silentAt(reports) : undefined,
  };
}

function asksForObjects(webhooks: readonly WatchedWebhook[]): boolean {
  return (["stuck", "drift", "guard"] as const).some((name) => asksFor(webhooks, name));
}

export function asksFor(webhooks: readonly WatchedWebhook[], condition: Condition): boolean {
  return webhooks.some(({ rules }) => rules[condition] !== undefined);
}

function present(troubles: readonly (Trouble | undefined)[]): readonly Trouble[] {
  return troubles.filter((trouble) => trouble !== undefined);
}
