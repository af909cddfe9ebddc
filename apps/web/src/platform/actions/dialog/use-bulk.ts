"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type BulkChoice, targetKey } from "../bulk-choice.ts";
import { previewState } from "../plan/preview-state.ts";
import { putInTray } from "../tray-store.ts";
import { useBatches } from "../use-batch.ts";
import { type BulkRow, isConfirmable, standingOf } from "./bulk-rows.ts";
import { newId } from "./confirmation-request.ts";
import { type Sent, useSendBulk } from "./use-send-bulk.ts";

const POLL_MS = 500;

/**
 * Has each of the targets planned, and then asks for those actions that the plans speak for. What has an end is planned anew
 * for another `until`.
 */
export function useBulk(choice: BulkChoice, until: number) {
  const { cluster, targets } = choice;
  const send = useSendBulk(choice, until);
  const [turn] = useState(newId);
  const previews = useQuery({
    queryKey: ["bulk-preview", turn, until],
    queryFn: () =>
      send(targets, ({ kind }) => ({
        kind: "preview",
        // Kept in the ledger, whose words are English.
        why: `Preview before a decision: ${kind}`,
      })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const [requested, setRequested] = useState<readonly Sent[]>([]);
  const [isSending, setSending] = useState(false);
  const planned = useNewest(cluster, previews.data === undefined ? [] : [previews.data]);
  const followed = useNewest(cluster, requested);
  const rows = targets.map((target): BulkRow => {
    const key = targetKey(target);
    const refused = planned(key)?.problem;
    return {
      target,
      preview:
        refused === undefined
          ? previewState(planned(key)?.intent)
          : { kind: "failed", sentence: refused },
      requested: followed(key)?.intent,
      problem: followed(key)?.problem,
    };
  });
  const confirm = async (why: string) => {
    setSending(true);
    const confirmable = rows
      .map((row) => ({ ...row, standing: standingOf(row) }))
      .filter(({ standing }) => isConfirmable(standing));
    const requests = new Map(
      confirmable.map(({ target, standing: { plan } }) => [
        targetKey(target),
        {
          action: planned(targetKey(target))?.intent?.action,
          ...(plan === undefined ? {} : { planHash: plan.planHash }),
        },
      ]),
    );
    const sent = await send(
      confirmable.map(({ target }) => target),
      (target) => ({ kind: target.kind, why, ...requests.get(targetKey(target)) }),
    );
    putInTray(cluster, idsOf(sent));
    setRequested((before) => [...before, sent]);
    setSending(false);
  };
  return { rows, confirm, isSending, forget: () => setRequested([]) };
}

function idsOf({ targets }: Sent): readonly string[] {
  return [...targets.values()].flatMap(({ intent }) => (intent === undefined ? [] : [intent.id]));
}

interface Newest {
  readonly intent: Intent | undefined;
  readonly problem: string | undefined;
}

/** By the key of a target: what was last asked for it, as it is now. */
function useNewest(cluster: string, sent: readonly Sent[]): (target: string) => Newest | undefined {
  const now = useBatches({ cluster, batches: sent.map(({ batch }) => batch), pollMs: POLL_MS });
  return (target) => {
    const one = sent.findLast(({ targets }) => targets.has(target))?.targets.get(target);
    if (one === undefined) return undefined;
    const { intent, problem } = one;
    return { problem, intent: intent === undefined ? undefined : (now.get(intent.id) ?? intent) };
  };
}
