-- AlterTable
ALTER TABLE "clusters" ADD COLUMN     "expected" JSONB;

