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
/** A leader that nobody replaced ends nothing: what is overdue is given up a little later. */
const OVERDUE_MS = 2_000;

/** The actions of these ids once each has ended or is overdue, all of them looked at together; without those that cannot be read. */
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
