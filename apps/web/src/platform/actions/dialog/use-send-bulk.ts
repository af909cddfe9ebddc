"use client";
import type { Action } from "@cloudwright/core/model/action";
import type { Intent } from "@cloudwright/core/model/intent";
import { useQueryClient } from "@tanstack/react-query";
import { useApi, useApiClient } from "../../../components/api.ts";
import { problemOf } from "../../../components/problem.ts";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import { type BulkChoice, targetKey } from "../bulk-choice.ts";
import { newId, typedFor } from "./confirmation-request.ts";

/** How one of the targets is asked for. */
export interface Asking {
  readonly kind: "preview" | ActionChoice["kind"];
  readonly why: string;
  /** The one that was previewed. */
  readonly action?: Action | undefined;
  readonly planHash?: string;
}

/** By the key of each target. */
export type Sent = ReadonlyMap<string, SentOne>;

interface SentOne {
  readonly id?: string;
  readonly problem?: string;
}

type Requests = ReadonlyMap<ActionChoice, ReturnType<typeof requestOf>>;

/** Asks for all of them in one request to the server; one that is refused keeps none of the others back. */
export function useSendBulk({ cluster, of }: BulkChoice) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  const taken = (intent: Intent): SentOne => {
    queryClient.setQueryData(api.intents.byId.queryKey({ cluster, id: intent.id }), intent);
    return { id: intent.id };
  };
  const oneByOne = async (requests: Requests): Promise<Sent> => {
    const sent = [...requests].map(async ([target, request]) => {
      const requested = client.intents.request.mutate({ ...request, cluster });
      return [targetKey(target), await requested.then(taken, refused)] as const;
    });
    return new Map(await Promise.all(sent));
  };
  const asBatch = async (requests: Requests): Promise<Sent> => {
    const batch = { batch: newId(), cluster, requests: [...requests.values()] };
    const answers = await client.intents.requestBatch.mutate(batch).catch(refused);
    const targets = [...requests.keys()].map(targetKey);
    return new Map(
      targets.map((key, index) => [
        key,
        "problem" in answers ? answers : sentOne(answers[index], taken),
      ]),
    );
  };
  return (targets: readonly ActionChoice[], howOf: (target: ActionChoice) => Asking) => {
    const requests = new Map(targets.map((target) => [target, requestOf(target, howOf(target))]));
    return of === "adoptions" ? asBatch(requests) : oneByOne(requests);
  };
}

function requestOf(target: ActionChoice, { action, ...how }: Asking) {
  const { controller, object, scope } = target;
  const typed = how.kind === "preview" ? undefined : typedFor(target)?.text;
  return {
    ...how,
    id: newId(),
    action: action ?? actionOfChoice(target, 0),
    controller,
    object,
    ...(action === undefined ? { scope } : {}),
    ...(typed === undefined ? {} : { confirmation: typed }),
  };
}

type Answer =
  | { readonly kind: "requested"; readonly intent: Intent }
  | { readonly kind: "refused"; readonly why: string };

function sentOne(answer: Answer | undefined, taken: (intent: Intent) => SentOne): SentOne {
  if (answer === undefined) return { problem: "The server did not answer for this one." };
  return answer.kind === "requested" ? taken(answer.intent) : { problem: answer.why };
}

function refused(error: unknown): { readonly problem: string } {
  return { problem: problemOf(error).sentence };
}
