import { z } from "zod/mini";
import { kindWord } from "../audit/change-messages.ts";
import { controllerOf } from "../controller-names.ts";
import { formatDuration } from "../language/duration.ts";
import { currentLanguage, englishOf, t, worded } from "../language/text.ts";
import { isOfCloudAlone, type ObjectRef, objectName } from "../object-ref.ts";
import { type Reason, reasonSchema } from "../reason.ts";
import { cause, eventMessage } from "../sentence.ts";
import { type ControlAction, doneSentence, isControlAction } from "./action.ts";
import type { Intent, LoopPreview, LoopProgress } from "./intent.ts";

type Ended = Pick<
  Intent,
  "result" | "action" | "object" | "decision" | "preview" | "evidence" | "loops"
>;

/**
 * Returns the result of an action, in its reader's language if it can be rendered again from the other fields. The ledger
 * stores the sentence in English, with its reason beside it; a sentence that contains more than that stays as it is stored.
 */
export function resultInWords(intent: Ended): string | undefined {
  const { result, loops = [] } = intent;
  if (result === undefined || currentLanguage() === "en") return result;
  if (loops.length > 1 && englishOf(() => loopsResult(loops)) === result) {
    return loopsResult(
      loops.map((loop) => ({ ...loop, result: loopResultInWords(loop, intent.object) })),
    );
  }
  return saidAgain(result, sentencesFor(intent));
}

/** Returns the result of an action in one of several loops. */
export function loopResultInWords(
  { result, reason }: Pick<LoopProgress, "result" | "reason">,
  object: ObjectRef,
): string | undefined {
  const evidence = reason === undefined ? {} : { evidence: { reason } as const };
  return resultInWords({ result, action: { kind: "retry" }, object, ...evidence });
}

/** Returns why one of several loops would not do the action, or cannot say. */
export function problemInWords({
  problem,
  reason,
}: Pick<LoopPreview, "problem" | "reason">): string | undefined {
  if (problem === undefined || reason === undefined || currentLanguage() === "en") return problem;
  return saidAgain(problem, sentencesOf(reason));
}

function saidAgain(kept: string, sentences: readonly Sentence[]): string {
  const said = sentences.find((sentence) => englishOf(sentence) === kept);
  return said === undefined ? kept : said();
}

type Sentence = () => string;

/** The evidence beside a result that renders a reason; results of earlier releases have none. */
const resultEvidenceSchema = z.object({ reason: reasonSchema });

/** How many milliseconds an answer is waited for: a dialog says within 5 s why there is none (DESIGN.md "Processes"). */
export const ANSWER_LIMITS_MS = { preview: 4_500, write: 30_000 } as const;

/**
 * Sentences that are stored as a result. Code that stores one must render it with `englishOf`, or run where English is
 * spoken anyway.
 */
export const KEPT_RESULTS = {
  cancelled: () => t`Cancelled before it started.`,
  notApproved: () => t`Nobody else approved it before it expired; request it again.`,
  notFinished: () => t`No leader finished it before it expired; request it again.`,
  planChanged: () =>
    t`The plan has changed since it was shown; review the new one and request it again.`,
  dryRun: () => t`This controller is in dry run and changes nothing; request a preview instead.`,
  endPassed: () => t`The chosen end has already passed; choose another one and try again.`,
  gone: () => t`Done and confirmed: it is gone.`,
  notRunning: () => t`The controller that carries it out is not running here; check --controllers.`,
  noControlRecord: () => t`This controller has no control record; restart it and try again.`,
} as const satisfies Readonly<Record<string, Sentence>>;

export function declinedResult({ by, why }: { readonly by: string; readonly why: string }): string {
  return t`${by} declined it: ${why}`;
}

export function seenResult(reason: Reason): string {
  return t`Done and confirmed: ${`${cause(reason)}.`}`;
}

export function nothingToChangeResult(reason: Reason): string {
  return t`Nothing had to be changed: ${cause(reason)}.`;
}

export function recreatedResult(object: ObjectRef): string {
  return t`${object.kind} ${objectName(object)} was recreated after this was requested; check the new one.`;
}

export function notSeenResult(reason: Reason): string {
  return t`It was carried out, but its effect was not observed afterwards. ${eventMessage(reason)}`;
}

export function noAnswerResult(limitMs: number): string {
  return t`No answer came within ${formatDuration(limitMs)}; check the cloud's status and try again.`;
}

/** For an action on a controller whose loops do not all follow it yet. */
export function stillFinishingResult(action: ControlAction, object: ObjectRef): string {
  return t`${doneSentence(action, object)} Runs already under way are still finishing.`;
}

export function notForKindResult(action: string, kind: string): string {
  return t`The action ${action} does not apply to a ${kind}; choose another action.`;
}

/** For an object that exists only in the cloud. */
export function cloudAbsentResult({ kind, name }: ObjectRef): string {
  return t`The ${kindWord(kind)} ${name} is no longer in the cloud, or the cluster needs it again.`;
}

/** Joins the results of an action in several loops, failures first: `Routes failed: … Volumes verified: …` */
export function loopsResult(
  loops: readonly Pick<LoopProgress, "controller" | "state" | "result">[],
): string {
  const wrongFirst = [
    ...loops.filter(({ state }) => state !== "verified"),
    ...loops.filter(({ state }) => state === "verified"),
  ];
  return wrongFirst
    .map(({ controller, state, result = "" }) =>
      t`${controllerOf(controller).label} ${LOOP_STATES[state]}: ${result}`.trim(),
    )
    .join(" ");
}

const LOOP_STATES: Readonly<Record<LoopProgress["state"], string>> = worded({
  requested: () => t`requested`,
  running: () => t`running`,
  verified: () => t`verified`,
  failed: () => t`failed`,
  rejected: () => t`rejected`,
});

function sentencesFor(intent: Ended): readonly Sentence[] {
  const { action, object, decision } = intent;
  return [
    ...Object.values(KEPT_RESULTS),
    ...(decision === undefined ? [] : [() => declinedResult(decision)]),
    ...(isControlAction(action)
      ? [() => doneSentence(action, object), () => stillFinishingResult(action, object)]
      : []),
    ...Object.values(ANSWER_LIMITS_MS).map((limitMs) => () => noAnswerResult(limitMs)),
    () => notForKindResult(action.kind, object.kind),
    () => recreatedResult(object),
    () => (isOfCloudAlone(object) ? cloudAbsentResult(object) : absentResult(object)),
    ...reasonsOf(intent).flatMap(sentencesOf),
  ];
}

function sentencesOf(reason: Reason): readonly Sentence[] {
  return [eventMessage, seenResult, nothingToChangeResult, notSeenResult].map(
    (sentence) => () => sentence(reason),
  );
}

/** For an object in the cluster. */
export function absentResult(object: ObjectRef): string {
  return t`${object.kind} ${objectName(object)} is not in the cluster.`;
}

function reasonsOf({ evidence, preview }: Ended): readonly Reason[] {
  const { data } = resultEvidenceSchema.safeParse(evidence);
  return [...(data === undefined ? [] : [data.reason]), ...plannedReasons(preview)];
}

function plannedReasons(preview: Ended["preview"]): readonly Reason[] {
  if (preview === undefined) return [];
  const { notTaken, next, changes } = preview;
  return [...notTaken.map(({ reason }) => reason), next.reason, ...changes.map((c) => c.reason)];
}
