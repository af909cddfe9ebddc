import { defineConfig } from "prisma/config";

/** Only `prisma generate` and the authoring of migrations read this; `cloudwright migrate` needs no Prisma CLI. */
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
