"use client";
import type { Action } from "@cloudwright/core/model/actions/action";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ActionChoice } from "../action-choice.ts";
import { type PreviewState, previewState } from "../plan/preview-state.ts";
import { useBatches } from "../use-batch.ts";
import { newId } from "./confirmation-request.ts";
import { type Sent, useSendBulk } from "./use-send-bulk.ts";

const POLL_MS = 500;

interface PlannedTargets {
  readonly cluster: string;
  readonly targets: readonly ActionChoice[];
  /** When actions with an end are over; a change makes all of them planned again. */
  readonly until: number;
  /** Returns the complete action of a target that already has one; undefined for others. */
  readonly actionOf?: (target: ActionChoice) => Action | undefined;
}

/** Has the leader plan each target once; the answers are kept by the target's key. */
export function usePlans({
  cluster,
  targets,
  until,
  actionOf = () => undefined,
}: PlannedTargets): (target: string) => Newest | undefined {
  const send = useSendBulk({ cluster }, until);
  const [turn] = useState(newId);
  const previews = useQuery({
    queryKey: ["bulk-preview", turn, until],
    queryFn: () =>
      send(targets, (target) => ({
        kind: "preview",
        // Kept in the ledger, which is in English.
        why: `Preview before a decision: ${target.kind}`,
        action: actionOf(target),
      })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  return useNewest(cluster, previews.data === undefined ? [] : [previews.data]);
}

export interface Newest {
  readonly intent: Intent | undefined;
  readonly problem: string | undefined;
}

/** Returns the latest request for each target, as it is now, by the target's key. */
export function useNewest(
  cluster: string,
  sent: readonly Sent[],
): (target: string) => Newest | undefined {
  const now = useBatches({ cluster, batches: sent.map(({ batch }) => batch), pollMs: POLL_MS });
  return (target) => {
    const one = sent.findLast(({ targets }) => targets.has(target))?.targets.get(target);
    if (one === undefined) return undefined;
    const { intent, problem } = one;
    return { problem, intent: intent === undefined ? undefined : (now.get(intent.id) ?? intent) };
  };
}

/** Returns the state of the requested plan. */
export function plannedState(planned: Newest | undefined): PreviewState {
  const refused = planned?.problem;
  return refused === undefined
    ? previewState(planned?.intent)
    : { kind: "failed", sentence: refused };
}
