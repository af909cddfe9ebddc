import { rowsOf } from "../../harness/database.ts";
import { addLeader } from "../../harness/route-rows.ts";
import { expect, silenceLeader, test } from "../fixtures/ledger.ts";

/** A unique fleet size gives this spec its own ledger, which has a second cluster. */
test.use({ fleet: 3 });

const OTHER = "6f3c2a10-0000-4000-8000-000000000002";
const HOURS_MS = 3 * 3_600_000;

test.beforeAll(async ({ ledger }) => {
  const { url } = ledger.database;
  await rowsOf(
    url,
    `INSERT INTO clusters (id, name, provider, last_heard_at) VALUES ($1, 'staging', 'sandbox', now())
     ON CONFLICT DO NOTHING`,
    [OTHER],
  );
  await addLeader(url, { cluster: OTHER });
});

for (const [clock, offMs] of [
  ["ahead of", HOURS_MS],
  ["behind", -HOURS_MS],
] as const) {
  test(`no cluster becomes unknown when the browser's clock is ${clock} the server's`, async ({
    page,
  }) => {
    await page.clock.install({ time: Date.now() + offMs });
    await page.goto("/");
    const rows = page.getByRole("main").getByRole("listitem");
    await expect(rows).toHaveCount(2);
    await expect(rows.getByText("Unknown", { exact: true })).toHaveCount(0);
    await expect(page.getByText(/^This browser's clock differs by 1\d{4} s/)).toBeVisible();
  });
}

test("the state of a cluster without heartbeats is shown with its time", async ({
  page,
  ledger,
}) => {
  await silenceLeader(ledger);
  await page.goto("/");
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "large" });
  await expect(row.getByText("Unknown", { exact: true })).toBeVisible();
  await expect(row).toContainText(/Current state unknown; as of [\d:]+: ./);
  const other = page.getByRole("main").getByRole("listitem").filter({ hasText: "staging" });
  await expect(other).not.toContainText("unknown");
});
