"use client";
import { type Intent, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { useFreshnessMessages } from "../../../components/freshness/freshness.ts";
import { changeProblem } from "../../../components/problem.ts";
import { listedResult } from "../listed-intent.ts";
import { type ConfirmationState, confirmationState } from "../plan/preview-state.ts";
import { putInTray } from "../tray/tray-store.ts";
import { useIntent } from "../use-intent.ts";
import { type ConfirmationInput, confirmationRequest, newId } from "./confirmation-request.ts";

export interface Confirmation {
  readonly state: ConfirmationState;
  /** Why the request itself was refused; undefined if it was not. */
  readonly problem: string | undefined;
  confirm(input: ConfirmationInput): void;
  /** Called when the action differs from the one that was confirmed. */
  forget(): void;
}

/** Requests the action and follows it until the leader has begun to write or has said why not. */
export function useConfirmation(cluster: string): Confirmation {
  const api = useApi();
  const queryClient = useQueryClient();
  const [ids] = useState(() => requestIds(newId));
  const send = useMutation(
    api.intents.request.mutationOptions({
      onSuccess: (intent) => {
        queryClient.setQueryData(api.intents.byId.queryKey({ cluster, id: intent.id }), intent);
        putInTray(cluster, [intent.id]);
      },
    }),
  );
  const followed = useIntent(cluster, send.data?.id);
  const state = stateOf(send, followed.data);
  return {
    state,
    problem: send.error === null ? undefined : changeProblem(send.error),
    confirm: (input) => {
      const request = confirmationRequest(input);
      if (state.kind === "ended") ids.renew();
      send.mutate({ ...request, id: ids.of(JSON.stringify(request)) });
    },
    forget: () => send.reset(),
  };
}

function stateOf(
  send: { readonly isPending: boolean; readonly data: Intent | undefined },
  followed: ListedIntent | undefined,
): ConfirmationState {
  if (send.isPending) return { kind: "waiting", intent: undefined };
  const intent = followed ?? send.data;
  if (intent === undefined || send.data === undefined) return { kind: "open" };
  if (!isReadable(intent)) return { kind: "ended", sentence: listedResult(intent) };
  // No plan was shown, so none can have changed.
  if (intent.planHash === undefined && intent.kind === "retry") return { kind: "accepted" };
  return confirmationState(intent);
}

interface RequestIds {
  of(request: string): string;
  /** The request is over, and requesting it once more is a new action. */
  renew(): void;
}

/** Returns one id per request: pressing twice, or again after a lost answer, requests once. */
export function requestIds(create: () => string): RequestIds {
  const ids = new Map<string, string>();
  return {
    of: (request) => {
      const id = ids.get(request) ?? create();
      ids.set(request, id);
      return id;
    },
    renew: () => ids.clear(),
  };
}

/** Returns why no answer arrives, as far as the page can tell. */
export function useSilence(): string {
  const { banner } = useFreshnessMessages();
  return banner?.text ?? t`The leader has not answered within 5 s: it may be busy.`;
}
