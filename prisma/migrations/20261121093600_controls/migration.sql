-- AlterTable
ALTER TABLE "controller_instances" ADD COLUMN     "controls" JSONB;
