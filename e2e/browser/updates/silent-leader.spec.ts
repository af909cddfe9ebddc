import { CLUSTER, expect, silenceLeader, test } from "../fixtures/ledger.ts";

/** A size of its own, and so a ledger of its own: its leader falls silent. */
test.use({ fleet: 2 });

test("loops of a leader that is not heard any more are unknown, on the overview as on their own page", async ({
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

test("each list of such a cluster opens with the time up to which it is known", async ({
  page,
}) => {
  for (const list of ["nodes", "load-balancers", "routes", "volumes"]) {
    await page.goto(`/c/${CLUSTER}/${list}`);
    const answer = page.getByRole("main").locator("header p").first();
    await expect(answer, list).toHaveText(/^Current state unknown; as of [\d: ]+: ./);
  }
});
