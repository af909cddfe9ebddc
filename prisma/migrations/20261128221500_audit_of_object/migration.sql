-- The entries about one object are counted without being read: each is on another page. The index has what else tells which of them count
-- (INCLUDE). Entries are read while the new one is made; the old one goes at the very end.

-- CreateIndex
CREATE INDEX "audit_entries_of_object_idx" ON "audit_entries"("chain", "object_name", "seq")
  INCLUDE ("object_kind", "object_namespace");

-- DropIndex
DROP INDEX "audit_entries_chain_object_name_seq_idx";
