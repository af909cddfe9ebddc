import type pg from "pg";
import type { ChainedEntry } from "./entry-text.ts";

export interface ChainPart {
  readonly chain: string;
  /** From this number on; from the first by default. */
  readonly from?: number;
  /** Up to this number; to the last by default. */
  readonly to?: number;
}

const PAGE = 1_000;

/** Entries of a chain by their numbers, read in pages: memory does not grow with the chain. */
export async function* readChain(pool: pg.Pool, part: ChainPart): AsyncGenerator<ChainedEntry> {
  const { chain, from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = part;
  let after: readonly [number, string] = [from, NO_ID];
  for (;;) {
    const { rows } = await pool.query<StoredEntry>(PAGE_OF_CHAIN, [chain, ...after, to]);
    yield* rows.map(chainedEntry);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = [Number(last.seq), last.id];
  }
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Columns of an entry as its hash covers them. By number and id: should somebody have taken the key away and given a number
 * twice, both are read.
 */
const PAGE_OF_CHAIN = `
  SELECT chain, seq, prev_hash, hash, id, round(extract(epoch FROM at) * 1000)::bigint AS at_ms,
         actor_kind, actor_id, actor_name, action, object_kind, object_namespace, object_name, object_uid,
         why, result, before::text AS before_text, after::text AS after_text,
         run_id, intent_id, client_address, client_agent
    FROM audit_entries
   WHERE chain = $1 AND (seq, id) > ($2::bigint, $3::uuid) AND seq <= $4::bigint
   ORDER BY seq, id LIMIT ${PAGE}`;

interface StoredEntry {
  readonly chain: string;
  readonly seq: string;
  readonly prev_hash: string;
  readonly hash: string;
  readonly id: string;
  readonly at_ms: string;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly object_kind: string | null;
  readonly object_namespace: string | null;
  readonly object_name: string | null;
  readonly object_uid: string | null;
  readonly why: string;
  readonly result: string;
  readonly before_text: string;
  readonly after_text: string;
  readonly run_id: string | null;
  readonly intent_id: string | null;
  readonly client_address: string | null;
  readonly client_agent: string | null;
}

function chainedEntry(row: StoredEntry): ChainedEntry {
  return {
    chain: row.chain,
    seq: Number(row.seq),
    prevHash: row.prev_hash,
    hash: row.hash,
    id: row.id,
    at: Number(row.at_ms),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    action: row.action,
    objectKind: row.object_kind,
    objectNamespace: row.object_namespace,
    objectName: row.object_name,
    objectUid: row.object_uid,
    why: row.why,
    result: row.result,
    before: row.before_text,
    after: row.after_text,
    runId: row.run_id,
    intentId: row.intent_id,
    clientAddress: row.client_address,
    clientAgent: row.client_agent,
  };
}
