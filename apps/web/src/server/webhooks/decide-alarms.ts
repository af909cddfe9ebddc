import { createHash } from "node:crypto";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import {
  CONDITION_NAMES,
  type Condition,
  patienceMs,
  type Rules,
} from "@cloudwright/core/model/notifications";
import type { Alarm, AlarmChanges } from "@cloudwright/store/webhooks/alarms";
import type { NewMessage } from "@cloudwright/store/webhooks/deliveries";
import type { Trouble } from "./troubles.ts";

/* Decides what to notify a webhook of, without reading or changing anything. One alarm covers everything with the same cause, so that
   500 nodes are one message. An object stays with its alarm for as long as it is in trouble, even if the cause changes: an object that
   alternates between two failures is not closed and reported anew each time. */

export interface Watched {
  readonly webhook: { readonly id: string; readonly rules: Rules };
  /** For the chain of accounts, `id` is `accounts`. */
  readonly cluster: { readonly id: string; readonly name: string };
  readonly troubles: readonly Trouble[];
  /** The conditions whose current state is known. */
  readonly known: ReadonlySet<Condition>;
  readonly now: number;
}

export interface Decision extends AlarmChanges {
  /** When the next alarm will have lasted long enough; undefined if none is pending. */
  readonly dueAt: number | undefined;
}

export function decideAlarms(watched: Watched, alarms: readonly Alarm[]): Decision {
  const parts = CONDITION_NAMES.map((condition) =>
    decideCondition(
      { ...watched, condition },
      alarms.filter((each) => each.condition === condition),
    ),
  );
  const dues = parts.flatMap(({ dueAt }) => dueAt ?? []);
  return {
    put: parts.flatMap(({ put }) => put),
    drop: parts.flatMap(({ drop }) => drop),
    messages: parts.flatMap(({ messages }) => messages),
    dueAt: dues.length === 0 ? undefined : Math.min(...dues),
  };
}

export function changesAnything({ put, drop, messages }: AlarmChanges): boolean {
  return put.length + drop.length + messages.length > 0;
}

interface OfCondition extends Watched {
  readonly condition: Condition;
}

const NOTHING: Decision = { put: [], drop: [], messages: [], dueAt: undefined };

function decideCondition(of: OfCondition, alarms: readonly Alarm[]): Decision {
  const patience = patienceMs(of.webhook.rules, of.condition);
  // The webhook no longer asks for this condition, so it does not hear of its end either.
  if (patience === undefined) return { ...NOTHING, drop: alarms.map(({ key }) => key) };
  if (!of.known.has(of.condition)) return NOTHING;
  const now = membersNow(of);
  const given = { now, patience, owners: ownersOf(alarms) };
  const ends = alarms.map((alarm) => decideAlarm(of, alarm, given));
  const found = newAlarms(of, alarms, given).map((alarm) => decideAlarm(of, alarm, given));
  const dues = [...ends, ...found].flatMap(({ dueAt }) => dueAt ?? []);
  return {
    put: [...ends, ...found].flatMap(({ put }) => put),
    drop: ends.flatMap(({ drop }) => drop),
    messages: [...ends, ...found].flatMap(({ messages }) => messages),
    dueAt: dues.length === 0 ? undefined : Math.min(...dues),
  };
}

interface Member {
  readonly trouble: Trouble;
  readonly since: number | undefined;
}
type Members = ReadonlyMap<string, Member>;

function membersNow({ troubles, condition }: OfCondition): Members {
  return new Map(
    troubles
      .filter((trouble) => trouble.condition === condition)
      .flatMap((trouble) =>
        [...trouble.members].map(([name, since]) => [name, { trouble, since }] as const),
      ),
  );
}

/** Maps what is in trouble to its alarm, both by key. */
function ownersOf(alarms: readonly Alarm[]): ReadonlyMap<string, string> {
  return new Map(
    alarms.flatMap(({ key, members }) => Object.keys(members).map((name) => [name, key] as const)),
  );
}

interface Given {
  readonly now: Members;
  readonly patience: number;
  readonly owners: ReadonlyMap<string, string>;
}

/** Makes alarms for what belongs to no alarm and shares its cause with none. */
function newAlarms(
  of: OfCondition,
  alarms: readonly Alarm[],
  { now, owners }: Given,
): readonly Alarm[] {
  const causes = new Set(alarms.map(({ cause }) => cause));
  const fresh = new Map<string, Trouble>();
  for (const [name, { trouble }] of now) {
    if (!owners.has(name) && !causes.has(trouble.cause)) fresh.set(trouble.cause, trouble);
  }
  return [...fresh.values()].map(({ condition, cause }) => ({
    key: keyOf(of, cause),
    ...{ condition, cause, members: {}, most: 0, title: "" },
    ...{ foundAt: of.now, notifiedAt: undefined },
  }));
}

function keyOf({ cluster, condition }: OfCondition, cause: string): string {
  return createHash("sha256")
    .update(JSON.stringify([cluster.id, condition, cause]))
    .digest("hex")
    .slice(0, 32);
}

/** Returns the alarm's members that are still in trouble, and whatever else has the same cause and belongs to no other alarm. */
function membersOf(alarm: Alarm, { now, owners }: Given, at: number): Alarm["members"] {
  const isOwn = (name: string, { trouble }: Member) =>
    owners.get(name) === alarm.key || (!owners.has(name) && trouble.cause === alarm.cause);
  return Object.fromEntries(
    [...now]
      .filter(([name, member]) => isOwn(name, member))
      .map(([name, { since }]) => [name, since ?? alarm.members[name] ?? at]),
  );
}

function decideAlarm(of: OfCondition, alarm: Alarm, given: Given): Decision {
  const { now, patience } = given;
  const members = membersOf(alarm, given, of.now);
  const names = Object.keys(members);
  if (names.length === 0) {
    const messages = alarm.notifiedAt === undefined ? [] : [endMessage(of, alarm)];
    return { ...NOTHING, drop: [alarm.key], messages };
  }
  const first = firstOf(members, now);
  const since = Math.min(...Object.values(members));
  const count = names.length;
  const isLarger = count > alarm.most;
  const isDue = alarm.notifiedAt === undefined && since + patience <= of.now;
  const next: Alarm = {
    ...{ ...alarm, members, most: Math.max(count, alarm.most) },
    title: isLarger ? first.title(count) : alarm.title,
    notifiedAt: isDue ? of.now : alarm.notifiedAt,
  };
  return {
    put: isSame(alarm, next) ? [] : [next],
    drop: [],
    messages: isDue ? [beginMessage(of, next, first)] : [],
    dueAt: next.notifiedAt === undefined ? since + patience : undefined,
  };
}

/** The message takes its details from the member that has been in trouble longest. */
function firstOf(members: Alarm["members"], now: Members): Trouble {
  const [oldest] = Object.entries(members).toSorted(
    ([left, leftSince], [right, rightSince]) => leftSince - rightSince || left.localeCompare(right),
  );
  const trouble = oldest === undefined ? undefined : now.get(oldest[0])?.trouble;
  if (trouble === undefined) throw new Error("An alarm has no members.");
  return trouble;
}

function isSame(left: Alarm, right: Alarm): boolean {
  if (left.most !== right.most || left.notifiedAt !== right.notifiedAt) return false;
  const [before, after] = [left.members, right.members];
  const names = Object.keys(after);
  return (
    names.length === Object.keys(before).length &&
    names.every((name) => before[name] === after[name])
  );
}

function messageBase(of: OfCondition, alarm: Alarm) {
  const { webhook, cluster, condition } = of;
  return {
    ...{ webhookId: webhook.id, condition, clusterName: cluster.name },
    clusterId: cluster.id === "accounts" ? null : cluster.id,
    alarm: `${alarm.key}-${alarm.foundAt}`,
    since: Math.min(...Object.values(alarm.members)),
  };
}

function beginMessage(of: OfCondition, alarm: Alarm, first: Trouble): NewMessage {
  const count = Object.keys(alarm.members).length;
  return {
    ...messageBase(of, alarm),
    ...{ phase: "begins", count, sentence: first.sentence(count, of.now), path: first.path(count) },
    objectKind: first.object?.kind ?? null,
    objectName: first.object?.name ?? null,
  };
}

/** `alarm` is the previous state. */
function endMessage(of: OfCondition, alarm: Alarm): NewMessage {
  const base = messageBase(of, alarm);
  const [name] = Object.keys(alarm.members);
  const slash = name?.indexOf("/") ?? -1;
  const isObject = name !== undefined && slash > 0;
  return {
    ...base,
    ...{ phase: "ends", count: alarm.most, path: endPath(of) },
    sentence: `${OVER[of.condition](alarm)} It lasted ${formatDuration(of.now - base.since)}.`,
    objectKind: isObject ? name.slice(0, slash) : null,
    objectName: isObject ? name.slice(slash + 1) : null,
  };
}

function endPath({ cluster }: OfCondition): string {
  return cluster.id === "accounts" ? "/" : `/c/${encodeURIComponent(cluster.id)}`;
}

const OVER: Readonly<Record<Condition, (alarm: Alarm) => string>> = {
  stuck: ({ title, most }) => `${title} ${most === 1 ? "is" : "are"} no longer stuck.`,
  drift: ({ title, most }) => `${title} ${most === 1 ? "has" : "have"} no drift any more.`,
  guard: () => "The deletion guard no longer holds any deletion back.",
  approval: ({ title, most }) =>
    `${title} no longer ${most === 1 ? "waits" : "wait"} for approval.`,
  chain: ({ title }) => `${title} is intact again.`,
  silent: () => "A leader reports again.",
};
