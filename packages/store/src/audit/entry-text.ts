import { createHash } from "node:crypto";

/** A stored entry with all fields that its hash covers. */
export interface ChainedEntry {
  readonly chain: string;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly id: string;
  /** When it happened, milliseconds since the epoch. */
  readonly at: number;
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly action: string;
  readonly objectKind: string | null;
  readonly objectNamespace: string | null;
  readonly objectName: string | null;
  readonly objectUid: string | null;
  readonly why: string;
  readonly result: string;
  /** The text of the jsonb value, as `jsonbText` makes it. */
  readonly before: string;
  readonly after: string;
  readonly runId: string | null;
  readonly intentId: string | null;
  readonly clientAddress: string | null;
  readonly clientAgent: string | null;
  /** The version of the hash: 1 covers all fields above, 2 also the ones below. */
  readonly format: number;
  /** The database login that added it. */
  readonly writtenBy: string | null;
  /** What proved the actor. */
  readonly proof: string | null;
  readonly sessionId: string | null;
}

/** The hash before the first entry of a chain. */
export const FIRST_PREV_HASH = "0".repeat(64);
/** The chain of entries about accounts; the other chains have their cluster's id. */
export const ACCOUNTS_CHAIN = "accounts";

/** Returns the SHA-256 of the entry's text in UTF-8, as lower-case hex. */
export function entryHash(entry: ChainedEntry): string {
  return createHash("sha256").update(entryText(entry)).digest("hex");
}

/**
 * Returns the text that the hash covers: one jsonb array, the same that the database's function cloudwright_audit_text makes. The order of
 * its members never changes; an additional member needs a new format.
 */
export function entryText(entry: ChainedEntry): string {
  const members = [
    text(`cloudwright-audit-${entry.format}`),
    text(entry.chain),
    String(entry.seq),
    text(entry.prevHash),
    text(entry.id),
    String(entry.at),
    text(entry.actorKind),
    text(entry.actorId),
    text(entry.actorName),
    text(entry.action),
    text(entry.objectKind),
    text(entry.objectNamespace),
    text(entry.objectName),
    text(entry.objectUid),
    text(entry.why),
    text(entry.result),
    entry.before,
    entry.after,
    text(entry.runId),
    text(entry.intentId),
    text(entry.clientAddress),
    text(entry.clientAgent),
    ...(entry.format === 1 ? [] : [entry.writtenBy, entry.proof, entry.sessionId].map(text)),
  ];
  return `[${members.join(", ")}]`;
}

function text(value: string | null): string {
  return value === null ? "null" : JSON.stringify(value);
}
