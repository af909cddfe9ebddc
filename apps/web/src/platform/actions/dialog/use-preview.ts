"use client";
import type { Action } from "@cloudwright/core/model/actions/action";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApiClient } from "../../../components/api.ts";
import { problemOf } from "../../../components/problem.ts";
import type { ActionChoice } from "../action-choice.ts";
import { type PreviewState, previewState } from "../plan/preview-state.ts";
import { useIntent } from "../use-intent.ts";
import { newId } from "./confirmation-request.ts";

const POLL_MS = 500;

export interface RequestedPreview {
  readonly state: PreviewState;
  /** The planned action, including the loops of a retry. Undefined while it is unknown. */
  readonly action: Action | undefined;
  /** When it was requested; undefined while the request is being sent. */
  readonly requestedAt: number | undefined;
  askAgain(): void;
}

/** Has the leader plan the action; a changed action is planned again, and an incomplete one is not planned. */
export function usePreview(
  choice: ActionChoice,
  action: Action,
  isComplete = true,
): RequestedPreview {
  const client = useApiClient();
  const [turn, setTurn] = useState(newId);
  const { cluster, controller, object, scope } = choice;
  const request = useQuery({
    queryKey: ["preview", cluster, controller, object, scope, action, turn],
    queryFn: () =>
      client.intents.request.mutate({
        id: newId(),
        kind: "preview",
        // Kept in the ledger, which is in English.
        why: `Preview before a decision: ${action.kind}`,
        ...{ cluster, controller, object, action, scope },
      }),
    enabled: isComplete,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
  const intent = useIntent(cluster, request.data?.id, POLL_MS);
  const state = previewState(intent.data ?? request.data);
  const error = request.error ?? intent.error;
  return {
    state:
      error === null || state.kind !== "asking"
        ? state
        : { kind: "failed", sentence: problemOf(error).sentence },
    action: request.data?.action,
    requestedAt: request.data?.requestedAt,
    askAgain: () => setTurn(newId()),
  };
}

/** After 5 s, a dialog says why there is no answer (UX brief, section 10). */
const LATE_MS = 5_000;

/** Reports whether 5 s have passed since this key began. */
export function useLate(key: string): boolean {
  const [late, setLate] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(key), LATE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return late === key;
}
