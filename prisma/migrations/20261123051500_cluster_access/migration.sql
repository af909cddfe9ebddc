-- AlterTable
ALTER TABLE "users" ADD COLUMN     "clusters" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "restricted" BOOLEAN NOT NULL DEFAULT false;
