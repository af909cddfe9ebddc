-- By hand: Prisma cannot model an index of an expression.

-- A text in the audit is looked for in these columns at once (AUDIT_TEXT in packages/store/src/sql/audit-entries.ts has the same expression).
-- Without the index, a word that few entries have is found by reading all of them. PostgreSQL ships pg_trgm, and whoever owns a
-- database may create it there; where it is not installed, the search works as before.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "audit_entries_text_idx" ON "audit_entries" USING gin ((
    "why" || E'\n' || "actor_name" || E'\n' || COALESCE("object_name", '') || E'\n' || "action" || E'\n' || COALESCE("client_address", '')
  ) gin_trgm_ops);
EXCEPTION
  WHEN feature_not_supported OR undefined_file OR insufficient_privilege OR undefined_object THEN
    RAISE NOTICE 'Texts in the audit are searched without an index: %', SQLERRM;
END $$;

-- What was refused or failed is rare, and is what people look for.
CREATE INDEX "audit_entries_not_applied_idx" ON "audit_entries"("chain", "seq") WHERE "result" <> 'applied';
