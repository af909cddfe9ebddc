import { t } from "@cloudwright/core/model/language/text";
import type { Reason } from "@cloudwright/core/model/reason";
import { cause, type TimeLabels } from "@cloudwright/core/model/sentence";
import type {
  ChangesPage,
  Direction,
  ObjectChange,
  StateThen,
} from "@cloudwright/store/views/changes";
import { formatCount } from "../../components/presentation/format-text.ts";
import {
  DRIFT_PRESENTATION,
  type Presentation,
  presentations,
  STATE_PRESENTATION,
} from "../../components/presentation/states.ts";

/** How a change looks and reads. */
export const DIRECTION_PRESENTATION = presentations<Direction>({
  worse: {
    label: () => t`Worse`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`Its state is worse than before.`,
  },
  better: {
    label: () => t`Better`,
    shape: "disc",
    tone: "ok",
    help: () => t`Its state is better than before.`,
  },
  other: {
    label: () => t`Other`,
    shape: "delta",
    tone: "neutral",
    help: () => t`New, gone, replaced, or changed without being worse or better.`,
  },
});

/** Presents one object's change: if it is neither worse nor better, by its new state, if that has a word. */
export function presentationOfChange(change: ObjectChange): Presentation {
  const presentation = DIRECTION_PRESENTATION[change.direction];
  return change.direction === "other"
    ? { ...presentation, label: otherWord(change) ?? presentation.label }
    : presentation;
}

function otherWord({ was, now, isReplaced }: ObjectChange): string | undefined {
  if (now.state === "gone") return t`Gone`;
  if (was === "absent") return t`New`;
  return isReplaced ? t`Replaced` : undefined;
}

type Counts = ChangesPage["counts"];

/** `14 objects differ from before: 3 worse, 9 better, 2 other.` */
export function changesSentence(counts: Counts): string {
  const all = sumOf(counts, () => true);
  if (all === 0) return t`Nothing differs between the two times.`;
  const parts = (["worse", "better", "other"] as const)
    .map((direction) => ({ direction, count: sumOf(counts, (one) => one.direction === direction) }))
    .filter(({ count }) => count > 0)
    .map(({ direction, count }) => COUNTED[direction](formatCount(count)))
    .join(", ");
  return all === 1
    ? t`1 object differs from before: ${parts}.`
    : t`${formatCount(all)} objects differ from before: ${parts}.`;
}

const COUNTED: Readonly<Record<Direction, (count: string) => string>> = {
  worse: (count) => t`${count} worse`,
  better: (count) => t`${count} better`,
  other: (count) => t`${count} other`,
};

export function sumOf(counts: Counts, isMeant: (one: Counts[number]) => boolean): number {
  return counts.filter(isMeant).reduce((sum, { count }) => sum + count, 0);
}

/** Returns an object's state at one of the times, without its cause. */
export function stateWord(then: ObjectChange["was"]): string {
  if (then === "absent") return t`Not there`;
  if (then === "unknown") return t`Not recorded`;
  return STATE_PRESENTATION[then.state].label;
}

/** Returns the cause, and what else differs from the other time: `No machine …; address 10.0.0.1; drifted`. */
export function aboutThen(
  then: ObjectChange["was"],
  other: ObjectChange["was"],
  time?: TimeLabels,
): string {
  if (typeof then === "string") return "";
  return [
    then.state === "ok" ? "" : cause(ofOneObject(then.reason), time),
    addressOf(then, other),
    driftOf(then, other),
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** Leaves out how many deletions the guard held when this one was recorded: beside a node, that count is outdated with the next one. */
function ofOneObject(reason: Reason): Reason {
  return reason.code === "DeletionGuardHeld" ? { ...reason, held: 1 } : reason;
}

function addressOf({ address }: StateThen, other: ObjectChange["was"]): string {
  const before = typeof other === "string" ? undefined : other.address;
  if (address === before) return "";
  return address === undefined ? t`no address` : t`address ${address}`;
}

function driftOf({ drift }: StateThen, other: ObjectChange["was"]): string {
  const isDrifted = drift === "drifted";
  const wasDrifted = typeof other !== "string" && other.drift === "drifted";
  return isDrifted === wasDrifted ? "" : DRIFT_PRESENTATION[drift].label.toLowerCase();
}
