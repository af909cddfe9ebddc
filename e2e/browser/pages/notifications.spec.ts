import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { rowsOf } from "../../harness/database.ts";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { expect, test } from "../fixtures/dashboard.ts";

// A separate product, because the test breaks the audit chain for a while.
test.use({ fleet: 4 });

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let received: Received[];
let status: number;
test.beforeEach(async () => {
  [received, status] = [[], 200];
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString("utf8") });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
const bodies = () => received.map(({ body }) => JSON.parse(body));

function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const [, time, hex] = /^t=(\d+),v1=(\w+)$/.exec(String(headers["cloudwright-signature"])) ?? [];
  return createHmac("sha256", secret).update(`${time}.${body}`).digest("hex") === hex;
}

test("a webhook is added, tested, notified when the audit chain breaks and recovers, and removed", async ({
  page,
  openClient,
  product,
  cluster,
}) => {
  await page.goto("/settings/notifications");
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.getByRole("button", { name: "Add webhook…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("Name").fill("pager");
  await dialog.getByLabel("URL").fill("http://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const secret = await dialog.getByLabel("Secret of pager").inputValue();
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send a test to pager" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "metadata" })).toBeVisible();

  await page.getByRole("button", { name: "Change pager" }).click();
  await page.getByRole("menuitem", { name: "Change…" }).click();
  const change = page.getByRole("dialog", { name: "Change pager" });
  await change.getByLabel("URL").fill(url());
  await change.getByRole("button", { name: "Save" }).click();
  await expect(change).toBeHidden();
  await page.getByRole("button", { name: "Send a test to pager" }).click();
  await expect(page.getByText(/The receiver answered 200/)).toBeVisible();
  const test = received.at(-1);
  expect(test !== undefined && isSignedBy(secret, test)).toBe(true);
  expect(bodies().at(-1)).toMatchObject({ version: 1, test: true });

  const { databaseUrl } = product.endpoints;
  const id = cluster.slice("/c/".length);
  const [entry] = await rowsOf<{ seq: string; why: string }>(
    databaseUrl,
    "SELECT seq, why FROM audit_entries WHERE chain = $1 ORDER BY seq LIMIT 1",
    [id],
  );
  const rewrite = async (why: string) => {
    await rowsOf(databaseUrl, "ALTER TABLE audit_entries DISABLE TRIGGER USER");
    await rowsOf(databaseUrl, "UPDATE audit_entries SET why = $1 WHERE chain = $2 AND seq = $3", [
      ...[why, id, entry?.seq],
    ]);
    await rowsOf(databaseUrl, "ALTER TABLE audit_entries ENABLE TRIGGER USER");
  };
  const client = await openClient("admin");
  const verify = () => client.post("/api/trpc/audit.verify", { data: { json: { cluster: id } } });
  await rewrite("forged");
  await verify();
  await expect
    .poll(() => bodies().map(({ phase }) => phase), { timeout: 60_000 })
    .toContain("begins");
  expect(bodies().find(({ phase }) => phase === "begins")).toMatchObject({
    ...{ condition: "chain", cluster: { id } },
    sentence: expect.stringMatching(/^The chain is broken/),
    link: `${product.endpoints.dashboard}${cluster}/audit`,
  });
  const list = page.getByRole("list", { name: "Deliveries" });
  await expect(list.getByRole("link", { name: /^The chain is broken/ })).toBeVisible();
  await rewrite(entry?.why ?? "");
  await verify();
  await expect
    .poll(() => bodies().map(({ phase }) => phase), { timeout: 60_000 })
    .toContain("ends");
  await expect(list.getByText("Audit chain, over")).toBeVisible();
  await settled(page, list);
  await sound(page, "notifications");
  await page.setViewportSize({ width: 320, height: 700 });
  await fitsNarrow(page, "notifications");
  await page.setViewportSize({ width: 1_280, height: 800 });

  await page.getByRole("button", { name: "Change pager" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove webhook" }).click();
  await expect(page.getByText("No webhooks yet")).toBeVisible();
  await page.goto(`${cluster}/audit?chain=accounts&q=${encodeURIComponent("pager")}`);
  const entries = page.getByRole("table", { name: "Audit entries" });
  for (const action of ["Add webhook", "Test webhook", "Change webhook", "Remove webhook"]) {
    await expect(entries.getByRole("row").filter({ hasText: action }).first()).toBeVisible();
  }
});
