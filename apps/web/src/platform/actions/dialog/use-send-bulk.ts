"use client";
import type { Action } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useRouter } from "next/navigation";
import { useApiClient } from "../../../components/api.ts";
import { problemOf } from "../../../components/problem.ts";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import { type BulkChoice, targetKey } from "../bulk-choice.ts";
import { newId, typedFor } from "./confirmation-request.ts";

/** How one of the targets is requested. */
export interface Asking {
  readonly kind: "preview" | ActionChoice["kind"];
  readonly why: string;
  /** The previewed action. */
  readonly action?: Action | undefined;
  readonly planHash?: string;
}

/** What was requested together: the batch, and the outcome for each target by its key. */
export interface Sent {
  readonly batch: string;
  readonly targets: ReadonlyMap<string, SentOne>;
}

interface SentOne {
  readonly intent?: Intent;
  readonly problem?: string;
}

/**
 * Requests all targets in one call to the server; a refused one does not hold up the others. `until` is when actions with an end are over.
 */
export function useSendBulk({ cluster }: Pick<BulkChoice, "cluster">, until: number) {
  const client = useApiClient();
  const { refresh } = useRouter();
  return async (
    targets: readonly ActionChoice[],
    howOf: (target: ActionChoice) => Asking,
  ): Promise<Sent> => {
    const batch = newId();
    const requests = targets.map((target) => requestOf(target, howOf(target), until));
    const answers = await client.intents.requestBatch
      .mutate({ batch, cluster, requests })
      .catch(refused);
    // As after any refused change: the page was showing buttons that the user's role no longer allows.
    if (isForbidden(answers)) refresh();
    return {
      batch,
      targets: new Map(
        targets.map((target, index) => [
          targetKey(target),
          "problem" in answers ? { problem: answers.problem } : sentOne(answers[index]),
        ]),
      ),
    };
  };
}

function requestOf(target: ActionChoice, { action, ...how }: Asking, until: number) {
  const { controller, object, scope } = target;
  const typed = how.kind === "preview" ? undefined : typedFor(target)?.text;
  return {
    ...how,
    id: newId(),
    action: action ?? actionOfChoice(target, until),
    controller,
    object,
    ...(action === undefined && scope !== undefined ? { scope } : {}),
    ...(typed === undefined ? {} : { confirmation: typed }),
  };
}

type Answer =
  | { readonly kind: "requested"; readonly intent: Intent }
  | { readonly kind: "refused"; readonly code: string; readonly why: string };

/** The whole batch was refused, or its answer was lost. */
interface Refused {
  readonly problem: string;
  readonly code: string;
}

function isForbidden(answers: readonly Answer[] | Refused): boolean {
  if ("problem" in answers) return answers.code === "FORBIDDEN";
  return answers.some((answer) => answer.kind === "refused" && answer.code === "Forbidden");
}

function sentOne(answer: Answer | undefined): SentOne {
  if (answer === undefined) return { problem: t`The server did not answer for this one.` };
  return answer.kind === "requested" ? { intent: answer.intent } : { problem: answer.why };
}

function refused(error: unknown): Refused {
  const { sentence, code } = problemOf(error);
  return { problem: sentence, code };
}
