import type { AuditRow } from "@cloudwright/store/views/views";

/** An entry of the audit log: Ana held node w-1, 14 minutes ago. */
export function auditEntry(seq: number, over: Partial<AuditRow> = {}): AuditRow {
  return {
    ...{ seq, id: `e-${seq}`, at: Date.now() - 14 * 60_000, action: "node.hold" },
    actor: { kind: "person", id: "u-1", name: "Ana" },
    object: { kind: "Node", namespace: undefined, name: "w-1", uid: "u" },
    ...{
      why: "disk check",
      result: "applied",
      before: { hold: null },
      after: { hold: { by: "ana" } },
    },
    ...{ runId: undefined, intentId: undefined, intent: undefined, client: undefined },
    ...{ evidence: undefined, hash: "c0ffee" },
    ...over,
  };
}

/** Returns entries as the server lists them. */
export function auditPage(rows: readonly AuditRow[]) {
  return { rows, nextCursor: undefined, total: { kind: "exact", count: rows.length } };
}
