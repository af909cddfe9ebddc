import pg from "pg";
import { expect, test } from "vitest";
import { canOwnServer, startTestServer } from "../../testing/database-fixture.ts";
import { grantRoles } from "./role-logins.ts";

test.skipIf(!canOwnServer)(
  "without leave to make roles, the migration goes on and says what is missing",
  async () => {
    await using other = await otherServer();
    await other.query(
      "CREATE ROLE plain LOGIN PASSWORD 'plain'; CREATE DATABASE plain OWNER plain",
    );
    const url = new URL(other.url);
    url.username = "plain";
    url.password = "plain";
    url.pathname = "/plain";
    expect(await grantRoles(url.toString())).toEqual({
      kind: "notAllowed",
      sentence:
        'The roles of controller and dashboard are not separated, because this login may not create roles: have the server\'s administrator run "CREATE ROLE cloudwright_controller; CREATE ROLE cloudwright_web;", then migrate again.',
    });
    await other.query("CREATE ROLE cloudwright_controller; CREATE ROLE cloudwright_web");
    expect(await grantRoles(url.toString())).toEqual({ kind: "granted" });
  },
);

async function otherServer() {
  const second = await startTestServer({ ownServer: true });
  const url = await second.empty();
  return {
    url,
    async query(sql: string): Promise<void> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      for (const statement of sql.split("; ")) await client.query(statement);
      await client.end();
    },
    [Symbol.asyncDispose]: () => second.dispose(),
  };
}
