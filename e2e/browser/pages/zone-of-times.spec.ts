import { expect, rowOf, test, untilFleetIsOk } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

/** Not a whole number of hours from UTC, so that the minutes differ, too. */
test.use({ timezoneId: "Asia/Kolkata" });

const NODE = "node-4";
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const IN_KOLKATA = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kolkata", ...CLOCK });
const IN_ST_JOHNS = new Intl.DateTimeFormat("en-GB", { timeZone: "America/St_Johns", ...CLOCK });

test("times within a cause are in the page's time zone, both in lists and on pages", async ({
  page,
  cluster,
  fleet,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, fleet);
  const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 30 * 60_000);
  await annotate({
    "cloudwright.io/hold": "disk check",
    "cloudwright.io/hold-until": until.toISOString(),
  });
  const time = IN_KOLKATA.format(until);
  try {
    await page.goto(`${cluster}/nodes?state=held`);
    await expect(rowOf(page, NODE)).toContainText(`until ${time}`);
    await expect(rowOf(page, NODE).getByTitle(`until ${time}`)).toBeVisible();
    await page.goto(`${cluster}/runs?q=key:${NODE}`);
    await expect(
      page
        .getByRole("row")
        .filter({ hasText: `until ${time}` })
        .first(),
    ).toBeVisible();
    await page.goto(`${cluster}/nodes/${NODE}`);
    await expect(page.getByText(`until ${time}`).first()).toBeVisible();
    await page.goto("/settings/appearance");
    await page.getByLabel("Another time zone").selectOption("America/St_Johns");
    await expect(page.getByText(/^It is now .* GMT-[23]:30\.$/)).toBeVisible();
    await snapshot(page, info, "named-zone");
    await page.goto(`${cluster}/nodes/${NODE}`);
    await expect(page.getByText(`until ${IN_ST_JOHNS.format(until)}`).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "St Johns" })).toBeVisible();
  } finally {
    await annotate({ "cloudwright.io/hold": null, "cloudwright.io/hold-until": null });
  }
  await untilFleetIsOk(page, cluster, fleet);

  function annotate(annotations: Record<string, string | null>): Promise<unknown> {
    return product.kube.patch(`/api/v1/nodes/${NODE}`, "merge", { metadata: { annotations } });
  }
});
