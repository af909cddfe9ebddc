import { z } from "zod";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { Database } from "../database/database.ts";
import { readFailures, type StoredFailures } from "../sql/users.ts";
import type { FailedSignIns } from "../views/views.ts";

/** How an audit entry of a refused sign-in says that it was one by password, and not another refusal of the same user. */
export const PASSWORD_ATTEMPT = "password";

const COUNTED_MS = 24 * 3_600_000;

/**
 * The wrong passwords of the last day by user: those of the audit entries, with what one entry says of many, and those that
 * this process has only counted so far.
 */
export async function failedSignIns(
  { pool, refusals }: Pick<Database, "pool" | "refusals">,
  now: number,
): Promise<ReadonlyMap<string, FailedSignIns>> {
  const since = new Date(now - COUNTED_MS);
  const rows = await readFailures(pool, { since, attempt: PASSWORD_ATTEMPT });
  const counted = refusals?.counted() ?? [];
  return new Map(rows.map((row) => [row.object_uid, withCounted(failuresOf(row), row, counted)]));
}

function withCounted(
  failed: FailedSignIns,
  { object_uid }: StoredFailures,
  counted: ReturnType<RefusalLog["counted"]>,
): FailedSignIns {
  const theirs = counted.filter(
    ({ last }) => last.object?.uid === object_uid && attemptSchema.safeParse(last.after).success,
  );
  const more = theirs.reduce((sum, each) => sum + each.more, 0);
  return { ...failed, count: failed.count + more };
}

const attemptSchema = z.object({ attempt: z.literal(PASSWORD_ATTEMPT) });

function failuresOf({ count, last_at, last_address }: StoredFailures): FailedSignIns {
  return { count, lastAt: last_at.getTime(), lastAddress: last_address ?? undefined };
}
