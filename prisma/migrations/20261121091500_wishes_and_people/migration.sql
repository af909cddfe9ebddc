-- AlterTable
ALTER TABLE "intents" ADD COLUMN "wish" JSONB NOT NULL DEFAULT '{"kind":"retry"}';

-- CreateIndex
CREATE INDEX "intents_actor_id_requested_at_idx" ON "intents"("actor_id", "requested_at");
