import { actionSchema } from "@cloudwright/core/model/action";
import type { EntryAction } from "@cloudwright/core/model/audit/audit-verb";
import { z } from "zod";

/**
 * What the action that an entry is part of was asked for, as SQL within a statement about `audit_entries`; null for entries of
 * no action. The entry that asked says it; others of the same action need not repeat it.
 */
export const ASKED_KIND = requested("asked.after->>'kind'");
export const ASKED_ACTION = requested(
  "COALESCE(asked.after#>>'{wish,kind}', asked.after->>'kind')",
);

function requested(value: string): string {
  return `(SELECT ${value} FROM audit_entries AS asked
    WHERE asked.chain = audit_entries.chain AND asked.intent_id = audit_entries.intent_id
      AND asked.action = 'intent.request' LIMIT 1)`;
}

const kindSchema = z.enum(actionSchema.options.map((option) => option.unwrap().shape.kind.value));

/** Undefined for what a newer version may have asked for, too. */
export function entryAction(stored: {
  readonly kind: string | null;
  readonly wish: string | null;
}): EntryAction | undefined {
  const kind = kindSchema.safeParse(stored.wish).data;
  return kind === undefined ? undefined : { kind, isPreview: stored.kind === "preview" };
}
