"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import type { Wish } from "@cloudwright/core/model/wish";
import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useApiClient } from "../../components/api.ts";
import { problemOf } from "../../components/problem.ts";
import { type ActionChoice, wishOf } from "./action-choice.ts";
import { type BulkChoice, targetKey } from "./bulk-choice.ts";
import { type BulkRow, isConfirmable, standingOf } from "./bulk-rows.ts";
import { typedText } from "./confirmation-request.ts";
import { newId } from "./new-id.ts";
import { previewState } from "./preview-state.ts";
import { putInTray } from "./tray-store.ts";
import { askFor } from "./use-intent.ts";

const POLL_MS = 500;

interface Asking {
  readonly kind: "preview" | ActionChoice["kind"];
  readonly why: string;
  /** The one that was previewed. */
  readonly wish?: Wish | undefined;
  readonly planHash?: string;
  /** Of adoptions: the same for all that are asked for together. */
  readonly batch?: string;
}

/** By the key of each target. */
type Sent = ReadonlyMap<string, SentOne>;

interface SentOne {
  readonly id?: string;
  readonly problem?: string;
}

/** Has each of the targets planned, and then asks for those actions that the plans speak for. */
export function useBulk(choice: BulkChoice) {
  const { cluster, targets } = choice;
  const send = useSend(cluster);
  const [turn] = useState(newId);
  const previews = useQuery({
    queryKey: ["bulk-preview", turn],
    queryFn: () =>
      sendAll(targets, (target) =>
        send(target, {
          kind: "preview",
          why: `Looking before a decision: ${target.kind}`,
          ...batched(choice, turn),
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const [asked, setAsked] = useState<Sent>(new Map());
  const [isSending, setSending] = useState(false);
  const planned = useIntents(cluster, targets, previews.data);
  const followed = useIntents(cluster, targets, asked);
  const rows = targets.map((target, index): BulkRow => {
    const key = targetKey(target);
    const refused = previews.data?.get(key)?.problem;
    return {
      target,
      preview:
        refused === undefined
          ? previewState(planned[index])
          : { kind: "failed", sentence: refused },
      asked: asked.get(key)?.id === undefined ? undefined : followed[index],
      problem: asked.get(key)?.problem,
    };
  });
  const confirm = async (why: string) => {
    setSending(true);
    const chosen = rows.map((row) => ({ row, standing: standingOf(row) }));
    const confirmable = chosen.filter(({ standing }) => isConfirmable(standing));
    const batch = batched(choice, newId());
    const requests = new Map(
      chosen.map(({ row: { target }, standing }, index) => [
        targetKey(target),
        { wish: planned[index]?.wish, ...heldTo(standing.plan) },
      ]),
    );
    const sent = await sendAll(
      confirmable.map(({ row }) => row.target),
      (target) =>
        send(target, { kind: target.kind, why, ...batch, ...requests.get(targetKey(target)) }),
    );
    putInTray(cluster, idsOf(sent));
    setAsked((before) => new Map([...before, ...sent]));
    setSending(false);
  };
  return { rows, confirm, isSending };
}

/** Asks for one of them, or for its preview. */
function useSend(cluster: string) {
  const api = useApi();
  const client = useApiClient();
  const queryClient = useQueryClient();
  return async (target: ActionChoice, how: Asking) => {
    const { controller, object, scope } = target;
    const { wish, ...rest } = how;
    const typed = how.kind === "preview" ? undefined : typedText(target);
    const intent = await client.intents.request.mutate({
      ...rest,
      id: newId(),
      cluster,
      wish: wish ?? wishOf(target, 0),
      controller,
      object,
      ...(wish === undefined ? { scope } : {}),
      ...(typed === undefined ? {} : { confirmation: typed }),
    });
    queryClient.setQueryData(api.intents.byId.queryKey({ cluster, id: intent.id }), intent);
    return intent;
  };
}

function batched({ of }: Pick<BulkChoice, "of">, batch: string): { batch?: string } {
  return of === "adoptions" ? { batch } : {};
}

function heldTo(plan: { readonly planHash: string } | undefined): { planHash?: string } {
  return plan === undefined ? {} : { planHash: plan.planHash };
}

function idsOf(sent: Sent): readonly string[] {
  return [...sent.values()].flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/** All of them in one request to the server; one that is refused keeps none of the others back. */
async function sendAll(
  targets: readonly ActionChoice[],
  send: (target: ActionChoice) => Promise<Intent>,
): Promise<Sent> {
  const answers = await Promise.allSettled(targets.map(send));
  return new Map(targets.map((target, index) => [targetKey(target), sentOne(answers[index])]));
}

function sentOne(answer: PromiseSettledResult<Intent> | undefined): SentOne {
  return answer?.status === "fulfilled"
    ? { id: answer.value.id }
    : { problem: problemOf(answer?.reason).sentence };
}

/** The newest of each target's intents, in the order of the targets. */
function useIntents(cluster: string, targets: readonly ActionChoice[], sent: Sent | undefined) {
  const api = useApi();
  const queries = useQueries({
    queries: targets.map((target) =>
      api.intents.byId.queryOptions(
        ...askFor({ cluster, id: sent?.get(targetKey(target))?.id, pollMs: POLL_MS }),
      ),
    ),
  });
  return queries.map(({ data }) => data);
}
