import { rowsOf } from "../../harness/database.ts";
import { stateCounter } from "../fixtures/dashboard.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

/** A unique fleet size gives this spec its own ledger, whose nodes are changed. */
test.use({ fleet: 3 });

test("changes reach a page while an answer for the previous page is still pending", async ({
  page,
  ledger,
}) => {
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/trpc\/[^?]*routes\./, async (route) => {
    await mayAnswer;
    await route.continue();
  });
  const pages = page.getByRole("navigation", { name: "Pages" });
  await page.goto(`/c/${CLUSTER}/nodes`);
  await expect(stateCounter(page, "OK")).toBeVisible();
  // A new stream repeats all queries, and would put the nodes into one request with the routes, whose answer is held back here.
  await expect(page.getByRole("button", { name: "Live, pause updates" })).toBeVisible();
  const requested = page.waitForRequest(/\/api\/trpc\/[^?]*routes\./);
  await pages.getByRole("link", { name: /^Routes/ }).click();
  await requested;
  await pages.getByRole("link", { name: /^Nodes/ }).click();
  await expect(stateCounter(page, "Held")).toHaveText("Held0");
  await rowsOf(
    ledger.database.url,
    "UPDATE all_states SET state = 'held', state_rank = 4 WHERE cluster_id = $1 AND kind = 'Node'",
    [CLUSTER],
  );
  await expect(stateCounter(page, "Held")).toHaveText("Held3");
  answer();
});
