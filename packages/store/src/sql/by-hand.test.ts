import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const STORE = fileURLToPath(new URL("..", import.meta.url));
const BY_HAND = /\.query(?:<|\()|\$(?:query|execute)Raw|\bPrisma\.(?:sql|raw|join)\b/;

/** Files outside this room that hold statements of their own. What Prisma's client can express is not among them. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "Sessions, locks, roles and migrations are no rows of a table.": [
    "database/listen.ts",
    "database/migrate.ts",
    "ledger/write-batch.ts",
    "roles/controller-logins.ts",
    "roles/grant-roles.ts",
    "roles/ledger-owner.ts",
    "roles/role-logins.ts",
  ],
  "The database's own functions, clock and row locks; statements over many rows.": [
    "audit/audit-insert.ts",
    "intents/batches.ts",
    "intents/room.ts",
    "intents/shadow-offers.ts",
    "intents/statements.ts",
    "ledger/orphans.ts",
    "operations/verb.ts",
    "users/failed-sign-ins.ts",
    "users/user.ts",
    "states/expected-controllers.ts",
    "states/write-objects.ts",
    "upkeep/run-days-ahead.ts",
    "upkeep/tidy.ts",
    "upkeep/upkeep.ts",
  ],
  "Counts, partitions, windows and paths into JSON.": [
    "queries/adoption/takeover.ts",
    "queries/adoption/waiting-adoptions.ts",
    "queries/budget/deferred-objects.ts",
    "queries/objects/node-load-balancers.ts",
    "queries/objects/node-detail.ts",
    "queries/objects/range-families.ts",
    "queries/objects/route-counts.ts",
    "queries/objects/route-tables.ts",
    "queries/overview/clusters.ts",
    "queries/overview/controllers.ts",
    "queries/overview/find.ts",
    "queries/overview/health.ts",
    "queries/overview/overview-changes.ts",
    "queries/overview/overview-problems.ts",
    "queries/overview/overview.ts",
  ],
};

test("statements are written by hand in this room, and elsewhere in those files alone that say why", () => {
  const files = readdirSync(STORE, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !/^(?:sql|generated)\/|\.test\.ts$/.test(file))
    .filter((file) => BY_HAND.test(readFileSync(path.join(STORE, file), "utf8")));
  expect(files.toSorted()).toEqual(Object.values(ELSEWHERE).flat().toSorted());
});
