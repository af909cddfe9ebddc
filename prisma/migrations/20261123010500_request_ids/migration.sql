-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "request_keys" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- From here on by hand: what Prisma cannot model.

-- Runs by the ids of the cloud calls that they made. Runs from before have none: they are found by all else. Most runs that
-- only talk to the cluster have none either, and take no room here.
CREATE INDEX "runs_request_keys_idx" ON "runs" USING gin ("request_keys") WHERE "request_keys" <> '{}';

-- All entries of one action of a person: what was asked for, and what came of it.
CREATE INDEX "audit_entries_chain_intent_id_idx" ON "audit_entries"("chain", "intent_id") WHERE "intent_id" IS NOT NULL;
