import { notTakenSentence, titleSentence } from "@cloudwright/core/model/audit/change-messages";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { subjectText } from "@cloudwright/core/model/incident-subject";
import { t } from "@cloudwright/core/model/language/text";
import type { Reason } from "@cloudwright/core/model/reason";
import { advice, cause, sentence, type TimeLabels } from "@cloudwright/core/model/sentence";
import type {
  EnglishSnapshot,
  IncidentSnapshot,
  KeptSnapshot,
} from "@cloudwright/store/views/incidents";
import { formatCount } from "../../components/presentation/format-text.ts";
import { triggerText } from "../../components/presentation/trigger-text.ts";
import { frozenFacts } from "./frozen-facts.ts";

type EnglishPart = EnglishSnapshot["parts"][number];

/** A part of a snapshot, with its cause and the advice. */
type WordedPart = Omit<EnglishPart, "cause" | "advice"> & { readonly why: string };

/** A snapshot in words. */
export type WordedSnapshot = Omit<EnglishSnapshot, "version" | "parts"> & {
  readonly parts: readonly WordedPart[];
};

/** Words a snapshot that was stored as data for the reader; an earlier release's English text stays as it is. */
export function wordedSnapshot(kept: KeptSnapshot, time: TimeLabels): WordedSnapshot {
  if (kept.version === 1) return { ...kept, parts: kept.parts.map(englishPart) };
  const { plan, subject, about, timeline, runs } = kept;
  const causeOf = (reason: Reason | undefined) => reason && cause(reason, time);
  return {
    ...kept,
    ...{ subject: subjectText(subject), sentence: diagnosis(kept, time) },
    facts: frozenFacts(kept.facts),
    parts: kept.parts.map(({ name, reason, ...part }) => ({
      ...{ ...part, why: withAdvice(t`${cause(reason, time)}.`, reason) },
      name: about.kind === "problem" ? name : controllerOf(name).label,
    })),
    timeline: timeline.map(({ reason, ...step }) => ({ ...step, cause: causeOf(reason) })),
    plan: plan && wordedPlan(plan, time),
    runs: runs.map(({ trigger, reason, ...run }) => ({
      ...{ ...run, trigger: triggerText(trigger), cause: causeOf(reason) },
    })),
  };
}

function englishPart({ cause: why, advice: remedy, ...part }: EnglishPart): WordedPart {
  return { ...part, why: remedy === "" ? `${why}.` : `${why}. ${remedy}` };
}

/** The diagnosis as it was on the shared page. */
function diagnosis(snapshot: IncidentSnapshot, time: TimeLabels): string {
  const { about, object, state, reason, since, nextAt, takenAt } = snapshot;
  if (reason === undefined) return t`The run had not ended.`;
  if (about.kind !== "object" || object === undefined || state === undefined) {
    return withAdvice(ofAll(cause(reason, time), snapshot), reason);
  }
  return sentence({
    ...{ object, state, reason, sinceMs: since, nextAtMs: nextAt, nowMs: takenAt, time },
  }).replaceAll("`", "");
}

/** A cause that several objects may share. */
function ofAll(why: string, { subject }: IncidentSnapshot): string {
  const more = subject.kind === "objects" ? subject.count - 1 : 0;
  if (more === 0) return t`${why}.`;
  return more === 1
    ? t`${why}, and one more like it.`
    : t`${why}, and ${formatCount(more)} more like it.`;
}

function withAdvice(why: string, reason: Reason): string {
  return [why, advice(reason)].join(" ").trim();
}

function wordedPlan(
  { changes, notTaken, ...plan }: NonNullable<IncidentSnapshot["plan"]>,
  time: TimeLabels,
): NonNullable<WordedSnapshot["plan"]> {
  return {
    ...plan,
    changes: changes.map(({ title, reason, fate, fields }) => ({
      ...{ sentence: titleSentence({ title, reason }, time), fate, fields },
    })),
    notTaken: notTaken.map((left) => notTakenSentence(left, time)),
  };
}
