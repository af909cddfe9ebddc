import { setTimeout as wait } from "node:timers/promises";
import {
  type Intent,
  isFinal,
  isReadable,
  type ListedIntent,
} from "@cloudwright/core/model/actions/intent";
import type { Database } from "@cloudwright/store/database/database";
import { intentsByIds } from "@cloudwright/store/intents/intents";

const POLL_EVERY_MS = 250;
/** How long to wait for the leader to end an overdue action, in milliseconds. */
const OVERDUE_MS = 2_000;

/**
 * Returns the actions with these ids once each has ended or is overdue, polling all of them together; leaves out those that
 * cannot be read.
 */
export async function endsOf(
  { db, cluster }: { readonly db: Database; readonly cluster: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Intent>> {
  for (;;) {
    const intents = await intentsByIds(db, { cluster, ids });
    const now = Date.now();
    const isOver = (intent: ListedIntent) =>
      !isReadable(intent) || isFinal(intent.state) || now > intent.expiresAt + OVERDUE_MS;
    if (intents.every(isOver)) {
      return new Map(intents.filter(isReadable).map((intent) => [intent.id, intent]));
    }
    await wait(POLL_EVERY_MS);
  }
}
