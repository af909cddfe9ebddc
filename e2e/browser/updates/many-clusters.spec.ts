import { rowsOf } from "../../harness/database.ts";
import { addLeader } from "../../harness/route-rows.ts";
import { expect, silenceLeader, test } from "../fixtures/ledger.ts";

/** A size of its own, and so a ledger of its own: there is a second cluster in it. */
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
  test(`a browser's clock that is ${clock} the server's makes no cluster unknown`, async ({
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

test("what is said of a cluster that is not heard any more is said with its time", async ({
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
