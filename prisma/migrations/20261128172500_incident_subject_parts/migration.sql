-- AlterTable
ALTER TABLE "incidents" ADD COLUMN "subject_parts" JSONB;
