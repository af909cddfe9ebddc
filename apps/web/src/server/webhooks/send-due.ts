import type { Database } from "@cloudwright/store/database/database";
import { claimDue, nextDue, settleDelivery } from "@cloudwright/store/webhooks/deliveries";
import { attempt, type SendOptions } from "./delivery.ts";
import type { Paced } from "./paced.ts";

export interface SendDueOptions extends SendOptions {
  readonly db: Database;
  readonly mayGoOn: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** How many receivers are awaited at once, so that a slow one does not hold up the others. */
const AT_ONCE = 4;
const AGAIN_MS = 5_000;
const LEAST_MS = 250;
const LONGEST_MS = 3_600_000;

/** Sends due messages, one at a time to each webhook. */
export function sendDue(options: SendDueOptions): Paced {
  const { db, now, mayGoOn, onError, signal } = options;
  const goesOn = () => mayGoOn() && signal?.aborted !== true;
  let timer: NodeJS.Timeout | undefined;
  let active = 0;

  const sendAll = async () => {
    while (goesOn()) {
      const due = await claimDue(db, now());
      if (due === undefined) return;
      const settled = await attempt(due, options);
      // A delivery cut off by the end of this process is left for another process.
      const isCut = signal?.aborted === true && settled.state === "pending";
      const kept = isCut ? { ...settled, attempts: due.attempts, nextAt: now() } : settled;
      await settleDelivery(db, due.row.id, kept);
    }
  };
  const schedule = async () => {
    if (!goesOn()) return;
    const at = await nextDue(db, now());
    if (at === undefined) return;
    clearTimeout(timer);
    timer = setTimeout(poke, Math.min(LONGEST_MS, Math.max(LEAST_MS, at - now())));
    timer.unref();
  };
  const again = (error: unknown) => {
    onError(error);
    clearTimeout(timer);
    timer = setTimeout(poke, AGAIN_MS);
    timer.unref();
  };
  const poke = () => {
    if (!goesOn() || active >= AT_ONCE) return;
    active += 1;
    sendAll()
      .finally(() => {
        active -= 1;
      })
      .then(schedule)
      .catch(again);
  };
  return {
    poke: () => {
      for (let place = active; place < AT_ONCE; place += 1) poke();
    },
    rest: () => clearTimeout(timer),
  };
}
