-- AlterTable
ALTER TABLE "object_states" ADD COLUMN     "changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "members_in" INTEGER,
ADD COLUMN     "members_wanted" INTEGER;
