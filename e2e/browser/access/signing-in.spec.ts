import {
  expect,
  rowOf,
  SIGNED_OUT,
  sessionOf,
  test,
  untilFleetIsOk,
} from "../fixtures/dashboard.ts";

const RETRY = "/api/trpc/intents.retry";

test.describe("signed out", () => {
  test.use({ storageState: SIGNED_OUT });

  test("every page leads to the sign-in page, which leads back to it", async ({
    page,
    cluster,
  }) => {
    const paths = ["/", `${cluster}/nodes`, `${cluster}/runs`, `${cluster}/actions`];
    for (const path of [...paths, `${cluster}/nodes/node-1?tab=facts`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
      expect(new URL(page.url()).searchParams.get("next"), path).toBe(path);
    }
  });

  test("the API answers 401", async ({ request }) => {
    const answer = await request.get("/api/trpc/clusters.list");
    expect(answer.status()).toBe(401);
    expect(await answer.text()).not.toContain("sandbox");
  });

  test("a made-up link signs nobody in", async ({ page, request, baseURL }) => {
    await page.goto("/sign-in?token=made-up");
    await expect(
      page.getByRole("heading", { name: "This link does not sign you in" }),
    ).toBeVisible();
    const answer = await request.post("/sign-in/redeem", {
      form: { token: "made-up" },
      headers: { origin: baseURL ?? "" },
    });
    expect(answer.url()).toContain("refused=link");
  });
});

test("a change without our Origin is refused", async ({ request, baseURL }) => {
  for (const headers of [{}, { origin: "https://elsewhere.example" }, { origin: "null" }]) {
    const answer = await request.post(RETRY, { data: { json: {} }, headers });
    expect(answer.status(), JSON.stringify(headers)).toBe(403);
  }
  const ours = await request.post(RETRY, {
    data: { json: {} },
    headers: { origin: baseURL ?? "" },
  });
  expect(ours.status(), "from our own page only the empty request is wrong").toBe(400);
});

test("signing out ends the session", async ({ openPage, openClient, product, cluster }) => {
  const session = await sessionOf(product, "operator");
  const page = await openPage(session);
  await page.goto(`${cluster}/nodes`);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("You are signed out.")).toBeVisible();

  const old = await openClient(session);
  expect((await old.get("/api/trpc/clusters.list")).status()).toBe(401);
});

test("a viewer sees everything and can retry nothing", async ({
  page,
  openPage,
  product,
  cluster,
  fleet,
}) => {
  await untilFleetIsOk(page, cluster, fleet);
  const { metadata } = await product.kube.get("/api/v1/nodes/node-1");
  const theirs = await openPage("viewer");
  await theirs.goto(`${cluster}/nodes`);
  await rowOf(theirs, "node-1").getByRole("link", { name: "node-1", exact: true }).click();
  const button = theirs.getByRole("button", { name: "Retry now" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.hover();
  await expect(theirs.getByText(/^Needs role operator\. You are viewer\./)).toBeVisible();
  await expect(button).toHaveAccessibleDescription(
    /^Needs role operator\. You are viewer\. Admins: /,
  );
  await button.click({ force: true });
  await expect(theirs.getByRole("dialog")).toHaveCount(0);

  const answer = await theirs.request.post(RETRY, {
    data: {
      json: {
        id: "01900000-0000-7000-8000-000000000001",
        cluster: cluster.slice("/c/".length),
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "node-1", uid: metadata.uid },
        why: "trying it past the page",
      },
    },
    headers: { origin: product.endpoints.dashboard },
  });
  expect(answer.status()).toBe(403);
  expect(await answer.text()).toContain("operator");
  await theirs.goto(`${cluster}/actions`);
  await expect(theirs.getByText("trying it past the page")).toHaveCount(0);
});
