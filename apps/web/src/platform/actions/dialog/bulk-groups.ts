import type { Action } from "@cloudwright/core/model/actions/action";
import { consequencesOf } from "@cloudwright/core/model/actions/whole-actions";
import {
  changeTitle,
  kindWord as wordInTitles,
} from "@cloudwright/core/model/audit/change-messages";
import { t, worded } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Change } from "@cloudwright/core/model/plan";
import { causeOf, type TimeLabels } from "@cloudwright/core/model/sentence";
import { countOf } from "../../wording/action-title.ts";
import { kindWord } from "../../wording/kind-words.ts";
import type { ActionChoice } from "../action-choice.ts";
import { targetKey } from "../bulk-choice.ts";
import type { ShownPlan } from "../plan/plan-facts.ts";
import {
  type BulkRow,
  type BulkStanding,
  isAsRequested,
  isConfirmable,
  standingOf,
} from "./bulk-rows.ts";

/** Rows with equal plans, or with the same cause of a refusal. */
export interface BulkGroup {
  readonly key: string;
  readonly kind: BulkStanding["kind"];
  /** What applies to each of them, without its name. */
  readonly text: string;
  /** The sentences of the text that hold whatever the plan. */
  readonly consequences: readonly string[];
  readonly members: readonly BulkMember[];
}

export interface BulkMember {
  readonly key: string;
  readonly name: string;
  /** What applies to this one alone, with its name and values. */
  readonly text: string;
}

/** Plans with changes come first, then those without, then refusals. */
const THE_ONE: Readonly<Record<string, string>> = worded({
  Node: () => t`the node`,
  Service: () => t`the Service`,
  Route: () => t`the route`,
});

const ORDER: readonly BulkStanding["kind"][] = [
  ...(["moved", "ready", "asking", "leftOut", "ended", "waiting", "done"] as const),
];

interface Wording {
  /** The action on a target; undefined if the caller does not know it any more. */
  readonly actionOf: (target: ActionChoice) => Action | undefined;
  readonly clock: TimeLabels;
}

/** Groups the rows by equal plans with equal consequences, larger groups first. */
export function groupsOf(rows: readonly BulkRow[], wording: Wording): readonly BulkGroup[] {
  const groups = new Map<string, BulkGroup & { readonly members: BulkMember[] }>();
  for (const row of rows) {
    const standing = standingOf(row);
    const { object } = row.target;
    const consequences = consequencesOfRow(row, standing, wording);
    const text = [textOfGroup(standing, object), ...consequences].join(" ");
    const key = `${standing.kind} ${text}`;
    const group = groups.get(key) ?? { key, kind: standing.kind, text, consequences, members: [] };
    group.members.push({
      key: targetKey(row.target),
      name: objectName(object),
      text: standing.text,
    });
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (left, right) =>
      ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind) ||
      right.members.length - left.members.length,
  );
}

/** Returns what a confirmation means besides the changes of the plan, such as what a hold keeps from being written. */
function consequencesOfRow(
  { target }: BulkRow,
  standing: BulkStanding,
  { actionOf, clock }: Wording,
): readonly string[] {
  const { plan } = standing;
  const action = actionOf(target);
  if (!isConfirmable(standing) || plan === undefined || action === undefined) return [];
  return consequencesOf(action, { ...plan, clock, waiting: 0 }) ?? [];
}

function textOfGroup({ kind, text, plan }: BulkStanding, object: ObjectRef): string {
  if (plan === undefined) return withoutName(text, object);
  const line = withoutName(planText(plan), object);
  return kind === "moved"
    ? t`The plan has changed since it was shown; nothing was done. ${line}`
    : line;
}

/** `2 changes each: Write the labels of the node; Write the addresses of the node.` */
function planText({ changes, next }: ShownPlan): string {
  if (changes.length === 0) return t`Nothing to do: ${causeOf(next.reason)}.`;
  const titles = [...countsOf(changes)].map(([title, count]) =>
    count === 1 ? title : t`${title} (${count} times)`,
  );
  const what = t`${countOf(changes.length, "change")} each: ${titles.join("; ")}.`;
  if (isAsRequested(next)) return what;
  const because = causeOf(next.reason);
  const then =
    next.kind === "waiting"
      ? t`Each would then wait: ${because}.`
      : t`None would be finished: ${because}.`;
  return `${what} ${then}`;
}

/** Counts changes by what they do, without the values that differ between objects. */
function countsOf(changes: readonly Change[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, target } of changes) {
    const title = changeTitle({ kind, target });
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return counts;
}

/** Replaces `node w-9` by `the node`; titles of changes call a volume by its kind in Kubernetes. */
function withoutName(text: string, object: ObjectRef): string {
  const word = kindWord(object.kind);
  const thing = THE_ONE[object.kind] ?? t`the ${word}`;
  return [word, wordInTitles(object.kind)].reduce(
    (rest, kind) => rest.replaceAll(`${kind} ${objectName(object)}`, thing),
    text,
  );
}
