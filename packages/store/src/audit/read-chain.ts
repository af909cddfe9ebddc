import type pg from "pg";
import type { WholeEntry } from "../queries/audit/stored-entry.ts";
import { type SqlConditions, sqlConditions } from "../sql/keyset.ts";
import type { ChainedEntry } from "./entry-text.ts";

export interface ChainPart {
  readonly chain: string;
  /** From this number on; from the first by default. */
  readonly from?: number;
  /** Up to this number; to the last by default. */
  readonly to?: number;
  /** Adds what else an entry must be. */
  readonly narrow?: (where: SqlConditions) => void;
}

/** Entries of a chain by their numbers. Memory does not grow with the chain. */
export async function* readChain(pool: pg.Pool, part: ChainPart): AsyncGenerator<ChainedEntry> {
  for await (const page of readChainPages(pool, part)) yield* page;
}

const PAGE = 1_000;

/** The same, in pages as they are read. */
export async function* readChainPages(
  pool: pg.Pool,
  part: ChainPart,
): AsyncGenerator<readonly ChainedEntry[]> {
  let after: readonly [number, string] = [part.from ?? Number.MIN_SAFE_INTEGER, NO_ID];
  for (;;) {
    const { text, values } = statement(part, after);
    const { rows } = await pool.query<LinkedEntry>(text, values);
    if (rows.length > 0) yield rows.map(chainedEntry);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = [Number(last.seq), last.id];
  }
}

const NO_ID = "00000000-0000-0000-0000-000000000000";

/** By number and id: should somebody have taken the key away and given a number twice, both are read. */
function statement({ chain, to, narrow }: ChainPart, after: readonly [number, string]) {
  const where = sqlConditions();
  where.texts.push(`chain = ${where.bind(chain)}`);
  where.texts.push(`(seq, id) > (${where.bind(after[0])}::bigint, ${where.bind(after[1])}::uuid)`);
  if (to !== undefined) where.texts.push(`seq <= ${where.bind(to)}::bigint`);
  narrow?.(where);
  const text = `SELECT ${COLUMNS} FROM audit_entries WHERE ${where.texts.join(" AND ")} ORDER BY seq, id LIMIT ${PAGE}`;
  return { text, values: where.values };
}

/** As an entry's hash covers them. */
const COLUMNS = `chain, seq, prev_hash, hash, id, round(extract(epoch FROM at) * 1000)::bigint AS at_ms,
  actor_kind, actor_id, actor_name, action, object_kind, object_namespace, object_name, object_uid,
  why, result, before::text AS before_text, after::text AS after_text,
  run_id, intent_id, client_address, client_agent, format, written_by, proof, session_id`;

interface LinkedEntry extends WholeEntry {
  readonly chain: string;
  readonly prev_hash: string;
  readonly at_ms: string;
  readonly before_text: string;
  readonly after_text: string;
  readonly format: number;
  readonly written_by: string | null;
  readonly proof: string | null;
  readonly session_id: string | null;
}

function chainedEntry(row: LinkedEntry): ChainedEntry {
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
    format: row.format,
    writtenBy: row.written_by,
    proof: row.proof,
    sessionId: row.session_id,
  };
}
