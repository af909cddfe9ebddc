import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { CLUSTER, fillFleet } from "../bench/fleet-rows.ts";
import { type LedgerDatabase, startLedgerDatabase } from "../bench/ledger-database.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { addRoutes } from "../harness/route-rows.ts";
import type { Role } from "./dashboard-test.ts";

export { CLUSTER, expect };

interface PerTest {
  readonly role: Role;
  readonly signedIn: undefined;
}

interface PerWorker {
  /** Nodes in the ledger; none: nothing at all is in it. */
  readonly fleet: number;
  /** Proxies that the dashboard trusts to say where a request comes from. */
  readonly trustedProxies: string;
  readonly ledger: { readonly database: LedgerDatabase; readonly dashboard: Dashboard };
  /** The cookie of a role's session: one for all tests, because signing in is let through only so often. */
  readonly cookieOf: (role: Role) => Promise<string>;
}

/**
 * Tests of the dashboard on a ledger that is written by the test: whatever a controller may ever say can be shown, and no
 * controller answers. An admin is signed in unless the test says otherwise.
 */
export const test = base.extend<PerTest, PerWorker>({
  role: ["admin", { option: true }],
  fleet: [60, { scope: "worker", option: true }],
  trustedProxies: ["", { scope: "worker", option: true }],
  ledger: [
    async ({ fleet, trustedProxies }, use) => {
      const dir = mkdtempSync(join(tmpdir(), "cloudwright-browser-ledger-"));
      const database = await startLedgerDatabase();
      await fillFleet(database.url, fleet);
      if (fleet > 0) await addRoutes(database.url, { cluster: CLUSTER, nodes: fleet });
      const dashboard = await startDashboard(database.url, dir, { trustedProxies });
      await use({ database, dashboard });
      await dashboard.stop();
      await database.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
  cookieOf: [
    async ({ ledger }, use) => {
      const cookies = new Map<Role, Promise<string>>();
      await use((role) => {
        const cookie = cookies.get(role) ?? ledger.dashboard.signIn(role);
        cookies.set(role, cookie);
        return cookie;
      });
    },
    { scope: "worker" },
  ],
  baseURL: async ({ ledger }, use) => use(ledger.dashboard.origin),
  signedIn: [
    async ({ context, ledger, cookieOf, role }, use) => {
      const [name = "", value = ""] = (await cookieOf(role)).split("=", 2);
      await context.addCookies([{ name, value, url: ledger.dashboard.origin }]);
      await use(undefined);
    },
    { auto: true },
  ],
});
