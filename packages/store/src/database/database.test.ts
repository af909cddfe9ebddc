import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startTestServer, type TestServer } from "../../testing/database-fixture.ts";
import { type ConnectOptions, connect } from "./database.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

async function used(options: ConnectOptions) {
  const database = connect(await server.empty(), options);
  onTestFinished(() => database.close());
  await database.pool.query("SELECT 1");
  return database.pool;
}

test("an idle connection ends when it may, and not before", async () => {
  const kept = await used({ idleMs: 60_000 });
  const ended = await used({ idleMs: 1 });
  await expect.poll(() => ended.totalCount).toBe(0);
  expect(kept.totalCount).toBe(1);
});
