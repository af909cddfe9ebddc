import { doneSentence, isControlAction } from "./action.ts";
import type { Intent } from "./intent.ts";
import { currentLanguage, englishOf, t } from "./language/text.ts";
import { isOfCloudAlone, type ObjectRef, objectName } from "./object-ref.ts";
import type { Reason } from "./reason.ts";
import { cause, eventMessage } from "./sentence.ts";

type Ended = Pick<Intent, "result" | "action" | "object" | "decision" | "preview">;

/**
 * What came of an action, in its reader's language where that can be said again from what else is known of it. The ledger keeps
 * the sentence in English; one that says more than that, such as why a run failed, stays as it is kept.
 */
export function resultInWords(intent: Ended): string | undefined {
  const { result } = intent;
  if (result === undefined || currentLanguage() === "en") return result;
  const said = sentencesFor(intent).find((sentence) => englishOf(sentence) === result);
  return said === undefined ? result : said();
}

type Sentence = () => string;

/** Sentences that are kept as a result. Whoever keeps one words it by `englishOf`, or where English is spoken anyway. */
export const KEPT_RESULTS = {
  cancelled: () => t`Cancelled before it started.`,
  notApproved: () => t`Nobody else approved it before it expired; request it again.`,
  notFinished: () => t`No leader finished it before it expired; request it again.`,
  planChanged: () =>
    t`The plan has changed since it was shown; review the new one and request it again.`,
  dryRun: () => t`This controller is in dry run and changes nothing; request a preview instead.`,
  endPassed: () => t`The chosen end has already passed; choose another one and try again.`,
  gone: () => t`Done and confirmed: it is gone.`,
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

function sentencesFor({ action, object, decision, preview }: Ended): readonly Sentence[] {
  const reasons = preview === undefined ? [] : reasonsOf(preview);
  return [
    ...Object.values(KEPT_RESULTS),
    ...(decision === undefined ? [] : [() => declinedResult(decision)]),
    ...(isControlAction(action) ? [() => doneSentence(action, object)] : []),
    () => recreatedResult(object),
    ...(isOfCloudAlone(object) ? [] : [() => absentResult(object)]),
    ...reasons.flatMap((reason) => [
      () => eventMessage(reason),
      () => seenResult(reason),
      () => nothingToChangeResult(reason),
    ]),
  ];
}

/** Of what is in the cluster. */
export function absentResult(object: ObjectRef): string {
  return t`${object.kind} ${objectName(object)} is not in the cluster.`;
}

function reasonsOf({ notTaken, next, changes }: NonNullable<Ended["preview"]>): readonly Reason[] {
  return [...notTaken.map(({ reason }) => reason), next.reason, ...changes.map((c) => c.reason)];
}
