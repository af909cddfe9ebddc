"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import type { ActionChoice } from "../action-choice.ts";
import { type BulkChoice, targetKey } from "../bulk-choice.ts";
import { previewState } from "../plan/preview-state.ts";
import { putInTray } from "../tray-store.ts";
import { askFor } from "../use-intent.ts";
import { type BulkRow, isConfirmable, standingOf } from "./bulk-rows.ts";
import { newId } from "./confirmation-request.ts";
import { type Sent, useSendBulk } from "./use-send-bulk.ts";

const POLL_MS = 500;

/** Has each of the targets planned, and then asks for those actions that the plans speak for. */
export function useBulk(choice: BulkChoice) {
  const { cluster, targets } = choice;
  const send = useSendBulk(choice);
  const [turn] = useState(newId);
  const previews = useQuery({
    queryKey: ["bulk-preview", turn],
    queryFn: () =>
      send(targets, ({ kind }) => ({
        kind: "preview",
        why: `Preview before a decision: ${kind}`,
      })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const [requested, setRequested] = useState<Sent>(new Map());
  const [isSending, setSending] = useState(false);
  const planned = useIntents(cluster, targets, previews.data);
  const followed = useIntents(cluster, targets, requested);
  const rows = targets.map((target, index): BulkRow => {
    const key = targetKey(target);
    const refused = previews.data?.get(key)?.problem;
    return {
      target,
      preview:
        refused === undefined
          ? previewState(planned[index])
          : { kind: "failed", sentence: refused },
      requested: requested.get(key)?.id === undefined ? undefined : followed[index],
      problem: requested.get(key)?.problem,
    };
  });
  const confirm = async (why: string) => {
    setSending(true);
    const chosen = rows.map((row) => ({ row, standing: standingOf(row) }));
    const confirmable = chosen.filter(({ standing }) => isConfirmable(standing));
    const requests = new Map(
      chosen.map(({ row: { target }, standing }, index) => [
        targetKey(target),
        { action: planned[index]?.action, ...heldTo(standing.plan) },
      ]),
    );
    const sent = await send(
      confirmable.map(({ row }) => row.target),
      (target) => ({ kind: target.kind, why, ...requests.get(targetKey(target)) }),
    );
    putInTray(cluster, idsOf(sent));
    setRequested((before) => new Map([...before, ...sent]));
    setSending(false);
  };
  return { rows, confirm, isSending };
}

function heldTo(plan: { readonly planHash: string } | undefined): { planHash?: string } {
  return plan === undefined ? {} : { planHash: plan.planHash };
}

function idsOf(sent: Sent): readonly string[] {
  return [...sent.values()].flatMap(({ id }) => (id === undefined ? [] : [id]));
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
