import { addLeader } from "../../harness/route-rows.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

test.use({ fleet: 0 });

test("without the route and volume controllers, the pages say how to turn them on", async ({
  page,
  ledger,
}) => {
  await addLeader(ledger.database.url, {
    cluster: CLUSTER,
    controllers: ["cloud-node-controller"],
  });
  await page.goto(`/c/${CLUSTER}/routes`);
  await expect(page.getByText("The route controller is not running here")).toBeVisible();
  await expect(page.getByText("--configure-cloud-routes=false")).toBeVisible();
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages).toContainText("Routes");
  await expect(pages).not.toContainText("Volumes");
  await page.goto(`/c/${CLUSTER}/volumes`);
  await expect(page.getByText("The volume controller is not running here")).toBeVisible();
  await expect(page.getByText("--controllers=*,volume-label-controller")).toBeVisible();
  const main = page.getByRole("main");
  await expect(main.getByRole("searchbox"), "nothing to filter").toHaveCount(0);
  await expect(main.getByRole("button", { name: "Faults only" })).toHaveCount(0);
});
