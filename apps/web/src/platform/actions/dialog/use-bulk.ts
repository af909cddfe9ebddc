"use client";
import { useState } from "react";
import { type BulkChoice, targetKey } from "../bulk-choice.ts";
import { putInTray } from "../tray/tray-store.ts";
import { type BulkRow, isConfirmable, standingOf } from "./bulk-rows.ts";
import { plannedState, useNewest, usePlans } from "./use-plans.ts";
import { type Sent, useSendBulk } from "./use-send-bulk.ts";

/**
 * Requests a plan for each target, and then requests the actions whose plans allow it. Actions with an end are planned again for another
 * `until`.
 */
export function useBulk(choice: BulkChoice, until: number) {
  const { cluster, targets } = choice;
  const send = useSendBulk(choice, until);
  const planned = usePlans({ cluster, targets, until });
  const [requested, setRequested] = useState<readonly Sent[]>([]);
  const [isSending, setSending] = useState(false);
  const followed = useNewest(cluster, requested);
  const rows = targets.map((target): BulkRow => {
    const key = targetKey(target);
    return {
      target,
      preview: plannedState(planned(key)),
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
