-- AlterTable
ALTER TABLE "intents" ADD COLUMN     "batch_id" UUID;
