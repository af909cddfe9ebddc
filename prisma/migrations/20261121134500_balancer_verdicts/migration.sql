-- AlterTable
ALTER TABLE "object_states" ADD COLUMN     "verdicts" JSONB;
