-- AlterTable
ALTER TABLE "intents" ADD COLUMN     "loops" JSONB;
