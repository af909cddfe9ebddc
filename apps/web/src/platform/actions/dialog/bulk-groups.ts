import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { t, worded } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Change } from "@cloudwright/core/model/plan";
import { causeOf } from "@cloudwright/core/model/sentence";
import { countOf } from "../../wording/action-title.ts";
import { kindWord } from "../../wording/kind-words.ts";
import { targetKey } from "../bulk-choice.ts";
import type { ShownPlan } from "../plan/plan-facts.ts";
import { type BulkRow, type BulkStanding, standingOf } from "./bulk-rows.ts";

/** Rows with equal plans, or with the same cause of a refusal. */
export interface BulkGroup {
  readonly key: string;
  readonly kind: BulkStanding["kind"];
  /** What applies to each of them, without its name. */
  readonly text: string;
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

/** Groups the rows by equal plans, larger groups first. */
export function groupsOf(rows: readonly BulkRow[]): readonly BulkGroup[] {
  const groups = new Map<string, BulkGroup & { readonly members: BulkMember[] }>();
  for (const row of rows) {
    const standing = standingOf(row);
    const { object } = row.target;
    const text = textOfGroup(standing, object);
    const key = `${standing.kind} ${text}`;
    const group = groups.get(key) ?? { key, kind: standing.kind, text, members: [] };
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
  if (next.kind === "settled") return what;
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

/** Replaces `node w-9` by `the node`. */
function withoutName(text: string, object: ObjectRef): string {
  const word = kindWord(object.kind);
  return text.replaceAll(`${word} ${objectName(object)}`, THE_ONE[object.kind] ?? t`the ${word}`);
}
