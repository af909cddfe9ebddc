import { speakerFor } from "../controller-names.ts";
import { formatDuration } from "../language/duration.ts";
import { t } from "../language/text.ts";
import {
  DAY_MS,
  HOUR_MS,
  LEADER,
  period,
  retention,
  SECOND_MS,
  type Setting,
  type Weight,
  within,
} from "./define.ts";
import { DURATION, GUARD, type GuardPolicy } from "./setting-kinds.ts";
import type { SettingName } from "./setting-names.ts";

const MOST_GUARDED = 10_000;

const guard: Setting<GuardPolicy | undefined> = {
  controller: "cloud-node-lifecycle-controller",
  part: "guard",
  get label() {
    return t`Deletion guard`;
  },
  get help() {
    return t`Maximum number of nodes that may be deleted within a window before deletions wait for an admin: a number or a share of the nodes, whichever is more.`;
  },
  kind: GUARD,
  get takes() {
    return t`off, or nodes, percentage and window such as 5,10%,10m`;
  },
  outOfBounds: (policy) => {
    if (policy === undefined) return undefined;
    if (policy.nodes > MOST_GUARDED) return t`must let through at most ${MOST_GUARDED} nodes`;
    const isWindow = within(policy.windowMs, { least: SECOND_MS, most: 7 * DAY_MS }) === undefined;
    return isWindow ? undefined : t`must have a window between 1s and 168h`;
  },
  weight: (policy, from) => (isLooser(policy, from) ? "loosensGuard" : "plain"),
  consequences: (policy, from) => [
    policy === undefined
      ? t`Without the guard a node whose machine is gone is deleted as soon as the cloud has confirmed that twice, however many there are.`
      : t`At most ${policy.nodes} nodes or ${policy.percent} % of all, whichever is more, are then deleted within ${formatDuration(policy.windowMs)} without an admin.`,
    isLooser(policy, from)
      ? t`Deletions that are waiting now may be among them. A deletion cannot be undone.`
      : t`Deletions beyond that wait for an admin. Earlier deletions count within the window.`,
  ],
};

const checkpoints: Setting<number> = {
  controller: LEADER,
  part: "audit",
  get label() {
    return t`Audit checkpoints`;
  },
  get help() {
    return t`Longest time until a new audit entry is covered by a checkpoint outside the database.`;
  },
  kind: DURATION,
  get takes() {
    return t`2s to 1h, such as 10s or 1m30s`;
  },
  outOfBounds: (ms) => within(ms, { least: 2 * SECOND_MS, most: HOUR_MS }),
  weight: () => "plain",
  consequences: (ms, from) => [
    ms < from
      ? t`While entries come in, a checkpoint is written every ${formatDuration(ms)} instead of every ${formatDuration(from)}: each is a write to the API server.`
      : t`For up to ${formatDuration(ms)} nothing outside the database would show that a new entry was changed.`,
  ],
};

/** All settings that can be changed at run time (DESIGN.md "Said once"). */
export const SETTINGS = {
  "node-deletion-guard": guard,
  "node-monitor-period": period({
    controller: "cloud-node-lifecycle-controller",
    label: () => t`Checks of nodes that are not Ready`,
    help: () => t`Time between checks of a node that is not Ready.`,
    later: (upTo, insteadOf) =>
      t`A stopped or deleted machine is noticed up to ${upTo} later instead of ${insteadOf}.`,
  }),
  "node-status-update-frequency": period({
    controller: "cloud-node-controller",
    label: () => t`Refresh of nodes`,
    help: () => t`Time between refreshes of a node's addresses and labels.`,
    later: (upTo, insteadOf) =>
      t`A change of a node's addresses in the cloud is noticed up to ${upTo} later instead of ${insteadOf}.`,
  }),
  "load-balancer-drift-period": period({
    controller: speakerFor("LoadBalancer"),
    label: () => t`Comparison of load balancers`,
    help: () => t`Time between comparisons of all load balancers with what they should be.`,
    later: (upTo, insteadOf) =>
      t`Changes that others make to a load balancer in the cloud are noticed up to ${upTo} later instead of ${insteadOf}.`,
  }),
  "route-reconciliation-period": period({
    controller: speakerFor("Route"),
    label: () => t`Comparison of routes`,
    help: () => t`Time between comparisons of all routes with what they should be.`,
    later: (upTo, insteadOf) =>
      t`Changes that others make to a route table are noticed up to ${upTo} later instead of ${insteadOf}.`,
  }),
  "volume-drift-period": period({
    controller: speakerFor("PersistentVolume"),
    label: () => t`Comparison of volumes`,
    help: () => t`Time between comparisons of all volumes with the cloud's disks.`,
    later: (upTo, insteadOf) =>
      t`Changes that others make to a disk in the cloud are noticed up to ${upTo} later instead of ${insteadOf}.`,
  }),
  "audit-checkpoint-period": checkpoints,
  "ledger-retention-runs": retention({
    label: () => t`Runs`,
    help: () => t`How long the ledger keeps runs; they are removed by whole days.`,
    deletes: (age) => t`The next clean-up deletes the runs that are older than ${age}.`,
  }),
  "ledger-retention-bodies": retention({
    label: () => t`Bodies of failed calls`,
    help: () => t`How long the ledger keeps the bodies of failed calls.`,
    deletes: (age) => t`The next clean-up deletes the bodies of failed calls older than ${age}.`,
  }),
  "ledger-retention-actions": retention({
    label: () => t`Actions that have ended`,
    help: () => t`How long the ledger keeps users' actions after they have ended.`,
    deletes: (age) => t`The next clean-up deletes users' actions that ended more than ${age} ago.`,
  }),
  "ledger-retention-gone": retention({
    label: () => t`Objects that no longer exist`,
    help: () => t`How long the ledger keeps objects that no longer exist.`,
    deletes: (age) =>
      t`The next clean-up deletes objects that have been gone for more than ${age}.`,
  }),
  "ledger-retention-budget": retention({
    label: () => t`Minutes of the budget`,
    help: () => t`How long the ledger keeps the counts of calls a minute.`,
    deletes: (age) => t`The next clean-up deletes the counts of calls that are older than ${age}.`,
  }),
  "ledger-retention-incidents": retention({
    label: () => t`Shared incidents`,
    help: () => t`How long the ledger keeps incidents that users have shared.`,
    deletes: (age) => t`The next clean-up deletes shared incidents that are older than ${age}.`,
  }),
} as const satisfies Readonly<Record<SettingName, object>>;

function isLooser(policy: GuardPolicy | undefined, from: GuardPolicy | undefined): boolean {
  if (from === undefined) return false;
  if (policy === undefined) return true;
  return (
    policy.nodes > from.nodes || policy.percent > from.percent || policy.windowMs < from.windowMs
  );
}

export type SettingValue<Name extends SettingName> =
  (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
/** A value for each setting, from the flags. */
export type SettingValues = { readonly [Name in SettingName]: SettingValue<Name> };

/** Returns the definition without its value's type, for code that treats all settings in the same way. */
export function settingOf(name: SettingName): Setting<unknown> {
  return SETTINGS[name] as Setting<unknown>;
}

/** Returns why a text cannot be the value of a setting, as a sentence; undefined if it can. */
export function problemOfValue(name: SettingName, text: string): string | undefined {
  const { kind, outOfBounds } = settingOf(name);
  const read = kind.read(text);
  const must = read === undefined ? kind.must : outOfBounds(read.value);
  return must === undefined ? undefined : t`${`--${name}`} ${must}, and cannot be "${text}".`;
}

/** Returns the controller's spelling of a value; an invalid text is returned unchanged. */
export function canonicalValue(name: SettingName, text: string): string {
  const { kind } = settingOf(name);
  const read = kind.read(text);
  return read === undefined ? text : kind.format(read.value);
}

export interface TextChange {
  readonly from: string;
  readonly value: string;
}

/** Returns the weight of a change from one text to another; invalid texts have none. */
export function weightOf(name: SettingName, change: TextChange): Weight {
  const { kind, weight } = settingOf(name);
  const [value, from] = [kind.read(change.value), kind.read(change.from)];
  return value === undefined || from === undefined ? "plain" : weight(value.value, from.value);
}

/** Returns the consequences, one sentence each. */
export function consequencesOfChange(name: SettingName, change: TextChange): readonly string[] {
  const { kind, consequences } = settingOf(name);
  const [value, from] = [kind.read(change.value), kind.read(change.from)];
  return value === undefined || from === undefined ? [] : consequences(value.value, from.value);
}
