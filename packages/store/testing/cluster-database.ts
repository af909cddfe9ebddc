import { beforeEach } from "vitest";
import { CLUSTER } from "./records.ts";
import { type SuiteDatabase, useDatabase, useTestServer } from "./suite-database.ts";

/** Provides a database for each test of the file, in which the cluster is known. */
export function useClusterDatabase(): SuiteDatabase {
  const database = useDatabase(useTestServer());
  beforeEach(async () => {
    await database.db.prisma.cluster.create({
      data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
    });
  });
  return database;
}
