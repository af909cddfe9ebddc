import { afterAll, beforeAll, beforeEach } from "vitest";
import { connect, type Database } from "../src/database.ts";
import { startTestServer, type TestServer } from "./database-fixture.ts";
import { CLUSTER } from "./records.ts";

/** For each test of the file a database of its own, in which the cluster is known; `db` is the current one. */
export function useClusterDatabase(): { readonly db: Database } {
  let server: TestServer;
  let current: Database | undefined;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.dispose());
  beforeEach(async () => {
    const db = connect(await server.migrated());
    current = db;
    await db.prisma.cluster.create({
      data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
    });
    return () => db.close();
  });
  return {
    get db() {
      if (current === undefined) throw new Error("The database is there within a test alone.");
      return current;
    },
  };
}
