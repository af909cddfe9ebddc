import { settled, sound } from "../fixtures/axe.ts";
import { expect, SIGNED_OUT, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });
  // Each page is scanned twice on two cores that may be busy with other work. every-page.spec.ts tests the pages themselves.
  test.setTimeout(240_000);

  test("pages of missing objects have a link that is recognisable by more than its colour", async ({
    page,
    cluster,
    fleet,
  }) => {
    await untilFleetIsOk(page, cluster, fleet);
    const nowhere = [
      [`${cluster}/nodes/nobody`, "Show all nodes"],
      [`${cluster}/load-balancers/nobody/none`, "Show all load balancers"],
      ["/c/nobody", "Show all clusters"],
    ] as const;
    for (const [path, way] of nowhere) {
      await page.goto(path);
      const link = page.getByRole("main").getByRole("link", { name: way });
      await settled(page, link);
      await expect(link).toHaveCSS("text-decoration-line", "underline");
    }
  });

  test("dialogs and actions have no fault", async ({ page, cluster, fleet }) => {
    await untilFleetIsOk(page, cluster, fleet);
    await page.keyboard.press("Control+k");
    await settled(page, page.getByRole("textbox", { name: "Search or jump" }));
    await sound(page, "palette");
    await page.goto(`${cluster}/nodes/node-6`);
    await page.keyboard.press("?");
    await settled(page, page.getByRole("dialog", { name: "Keyboard" }));
    await sound(page, "keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Retry now" }).click();
    await settled(page, page.getByRole("dialog", { name: "Retry node node-6" }));
    await sound(page, "retry");
    await page.getByRole("button", { name: "Retry node" }).click();
    const tray = page.getByRole("region", { name: "Your actions" });
    await expect(tray.getByRole("status"), "is announced").toContainText("Verified");
    await sound(page, "tray");
    await tray.getByRole("link").first().click();
    await settled(page, page.getByRole("region", { name: "Record" }).getByRole("listitem").first());
    await sound(page, "action");
    await page.goto(`${cluster}/actions`);
    await settled(page, page.getByRole("link", { name: "Retry node node-6" }).first());
    await sound(page, "Actions");
  });

  test.describe("signed out", () => {
    test.use({ storageState: SIGNED_OUT });
    test("the sign-in page has no fault", async ({ page, product }) => {
      await page.goto("/sign-in");
      await settled(page, page.getByRole("heading", { name: "You are not signed in" }));
      await sound(page, "sign-in");
      await page.goto(product.endpoints.signInUrl);
      await settled(page, page.getByRole("button", { name: /^Sign in as/ }));
      await sound(page, "sign-in with a link");
    });
  });
});
