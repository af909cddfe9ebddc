import type { Intent } from "@cloudwright/core/model/intent";
import type { Database } from "../database/database.ts";
import { silenceOfLeader } from "../sql/intents.ts";

/**
 * What is left for a dry run of the open intents: while a controller that acts leads this cluster, all is that one's. A
 * preview can be answered once it is silent; anything else only when there has been none for so long that nobody would
 * carry it out.
 */
export async function leftForShadow(
  db: Database,
  cluster: string,
  open: readonly Intent[],
): Promise<readonly Intent[]> {
  if (open.length === 0) return open;
  const silentMs = await silenceOfLeader(db, cluster);
  return open.filter(({ kind }) => silentMs > (kind === "preview" ? SILENT_MS : ABSENT_MS));
}

/** Three heartbeats. */
const SILENT_MS = 15_000;
const ABSENT_MS = 3_600_000;
