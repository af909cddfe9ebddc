import { CLUSTER, expect, silenceLeader, test } from "../fixtures/ledger.ts";

/** A unique fleet size gives this spec its own ledger, whose leader falls silent. */
test.use({ fleet: 2 });

test("loops of a leader without heartbeats are unknown, both on the Overview and on their own page", async ({
  page,
  ledger,
}) => {
  await silenceLeader(ledger);
  await page.goto(`/c/${CLUSTER}`);
  const panel = page.getByRole("region", { name: "Controllers" });
  await expect(panel.getByText("Unknown")).toHaveCount(4);
  await expect(panel.getByText("Idle")).toHaveCount(0);
  await page.goto(`/c/${CLUSTER}/controllers`);
  await expect(page.getByRole("region", { name: "Running" }).getByText("Unknown")).toHaveCount(4);
});

test("each list of a cluster with a silent leader opens with the time of its last report", async ({
  page,
}) => {
  for (const list of ["nodes", "load-balancers", "routes", "volumes"]) {
    await page.goto(`/c/${CLUSTER}/${list}`);
    const answer = page.getByRole("main").locator("header p").first();
    await expect(answer, list).toHaveText(/^Current state unknown; as of [\d: ]+: ./);
  }
});
