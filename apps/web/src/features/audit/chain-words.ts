import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import type { ChainBreak, ChainVerification } from "@cloudwright/store/views/chains";
import { formatCount } from "../../components/presentation/format-text.ts";

/** Words the result of a verification. In English it is the audit log's own text, word for word. */
export function verificationText(found: ChainVerification): string {
  if (currentLanguage() === "en") return found.sentence;
  const { intact, breakCount } = found;
  if (intact) return intactText(found);
  return breakCount === 1
    ? t`The chain is broken.`
    : t`The chain is broken in ${formatCount(breakCount)} places.`;
}

function intactText({ entries, checkpoints, notAnchored }: ChainVerification): string {
  if (entries === 0) return t`The chain has no entries yet.`;
  const whole =
    entries === 1
      ? t`The one entry is as written.`
      : t`All ${formatCount(entries)} entries are as written.`;
  const newest = checkpoints
    .filter(({ matches }) => matches)
    .toSorted((left, right) => right.seq - left.seq)[0];
  if (newest === undefined) {
    return `${whole} ${t`There is no checkpoint to compare with: none is anchored yet.`}`;
  }
  const compared = t`Up to entry ${formatCount(newest.seq)} it is as the checkpoint has it (${newest.place}).`;
  return `${whole} ${compared} ${newerText(notAnchored)}`;
}

function newerText(notAnchored: number): string {
  if (notAnchored === 0) return t`No entry is newer.`;
  return notAnchored === 1
    ? t`1 newer entry is not anchored yet.`
    : t`${formatCount(notAnchored)} newer entries are not anchored yet.`;
}

/** Says what is wrong with which entries; in other languages, the log's further text is quoted. */
export function breakText({ kind, from, to }: Pick<ChainBreak, "kind" | "from" | "to">): string {
  return from === to ? ONE[kind](from) : SEVERAL[kind](from, to);
}

const ONE: Readonly<Record<ChainBreak["kind"], (entry: number) => string>> = {
  changed: (entry) => t`Entry ${entry} was changed.`,
  removed: (entry) => t`Entry ${entry} was removed.`,
  reordered: (entry) => t`Entry ${entry} was moved.`,
  added: (entry) => t`Entry ${entry} was inserted.`,
  rewritten: (entry) => t`Entry ${entry} was replaced and rehashed.`,
};

const SEVERAL: Readonly<Record<ChainBreak["kind"], (from: number, to: number) => string>> = {
  changed: (from, to) => t`Entries ${from} to ${to} were changed.`,
  removed: (from, to) => t`Entries ${from} to ${to} were removed.`,
  reordered: (from, to) => t`Entries ${from} to ${to} were moved.`,
  added: (from, to) => t`Entries ${from} to ${to} were inserted.`,
  rewritten: (from, to) => t`Entries ${from} to ${to} were replaced and rehashed.`,
};
