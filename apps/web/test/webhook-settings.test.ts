import type { DeliveriesPage, DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, testDashboard } from "./testing/dashboard-server.ts";
import { type Receiver, startReceiver } from "./testing/receiver.ts";

const RULES = { stuck: { afterMinutes: 5 }, guard: {} };

const server = testDashboard([heartbeat()]);
let receiver: Receiver;
let viewer: Browser;
let admin: Browser;
beforeAll(async () => {
  process.env.CLOUDWRIGHT_WEBHOOKS_PRIVATE = "allow";
  receiver = await startReceiver();
  viewer = await server.signedIn("viewer");
  admin = await server.signedIn("admin");
});
afterAll(() => receiver.close());

async function create(browser: Browser, over: object = {}) {
  const answer = await browser.mutate("webhooks.create", {
    ...{ name: "on call", form: "cloudwright", rules: RULES, url: receiver.url, ...over },
  });
  expect(answer.message).toBeUndefined();
  return answer.data as { readonly id: string; readonly secret: string };
}

async function list(browser: Browser): Promise<readonly WebhookView[]> {
  return (await browser.query("webhooks.list")).data as readonly WebhookView[];
}

const auditOf = (action: string) =>
  ledger().prisma.auditEntry.findFirst({ where: { action }, orderBy: { at: "desc" } });

describe("a user's own webhook", () => {
  it("is added with a secret that is shown once and stored sealed, as is the URL", async () => {
    const { id, secret } = await create(viewer);
    expect(secret).toMatch(/^whsec_/);
    const [shown] = await list(viewer);
    expect(shown).toMatchObject({ id, name: "on call", rules: RULES, mayChange: true });
    expect(shown?.origin).toBe(new URL(receiver.url).origin);
    const stored = await ledger().prisma.webhook.findUniqueOrThrow({ where: { id } });
    const entry = await auditOf("account.webhook-create");
    expect(entry).toMatchObject({
      ...{ chain: "accounts", actorId: viewer.userId, objectName: "on call", objectUid: id },
      after: { name: "on call", url: shown?.origin },
    });
    const visible = JSON.stringify([shown, stored, entry], (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(visible).not.toContain(secret);
    expect(visible).not.toContain("of-the-receiver");
  });

  it("cannot be seen or changed by anyone else, not even an admin", async () => {
    const [own] = await list(viewer);
    const id = own?.id ?? "";
    expect((await list(admin)).map((each) => each.id)).not.toContain(id);
    for (const [path, input] of [
      ["pause", { id, paused: true }],
      ["remove", { id }],
      ["rotateSecret", { id }],
      ["test", { id }],
      ["change", { id, name: "x", form: "slack", rules: RULES }],
    ] as const) {
      expect(await admin.mutate(`webhooks.${path}`, input), path).toMatchObject({
        code: "NOT_FOUND",
      });
      const other = await server.signedIn("operator");
      expect(await other.mutate(`webhooks.${path}`, input), path).toMatchObject({
        code: "FORBIDDEN",
      });
    }
    expect(await list(viewer)).toMatchObject([{ id, name: "on call", pausedAt: undefined }]);
  });

  it("is changed, paused and resumed, each recorded with the previous values", async () => {
    const [own] = await list(viewer);
    const id = own?.id ?? "";
    const change = { id, name: "chat", form: "slack", rules: { chain: {} }, why: "We moved" };
    await viewer.mutate("webhooks.change", change);
    expect(await list(viewer)).toMatchObject([
      { name: "chat", form: "slack", rules: { chain: {} } },
    ]);
    expect(await auditOf("account.webhook-change")).toMatchObject({
      ...{ why: "We moved", before: { name: "on call", form: "cloudwright" } },
      after: { name: "chat", form: "slack", rules: { chain: {} } },
    });
    await viewer.mutate("webhooks.pause", { id, paused: true });
    expect((await list(viewer))[0]?.pausedAt).toBeTypeOf("number");
    await viewer.mutate("webhooks.pause", { id, paused: false });
    expect(await auditOf("account.webhook-change")).toMatchObject({
      ...{ before: { paused: true }, after: { paused: false } },
    });
  });

  it("sends a test that is marked as one, and returns the result", async () => {
    const { id } = await create(viewer, { name: "tested" });
    const answered = await viewer.mutate("webhooks.test", { id });
    expect(answered.data as DeliveryView).toMatchObject({
      ...{ state: "delivered", phase: "test", attempts: [{ status: 200 }] },
    });
    expect(receiver.received.at(-1)?.json).toMatchObject({
      test: true,
      condition: "test",
      link: null,
    });
    receiver.answer({ status: 403 });
    expect((await viewer.mutate("webhooks.test", { id })).data).toMatchObject({
      ...{ state: "failed", problem: "The receiver answered 403." },
    });
    receiver.answer({ status: 503 });
    expect((await viewer.mutate("webhooks.test", { id })).data).toMatchObject({ state: "failed" });
    receiver.answer({ status: 200 });
    const page = (await viewer.query("webhooks.deliveries", { webhook: id, limit: 2 }))
      .data as DeliveriesPage;
    expect(page.rows.map(({ state }) => state)).toEqual(["failed", "failed"]);
    const rest = await viewer.query("webhooks.deliveries", { webhook: id, cursor: page.next });
    expect(rest.data).toMatchObject({ rows: [{ state: "delivered" }], next: undefined });
    const others = await admin.query("webhooks.deliveries", { webhook: id });
    expect(others.data).toMatchObject({ rows: [] });
    expect(await auditOf("account.webhook-test")).toMatchObject({ actorId: viewer.userId });
  });

  it("gets a new secret, and the previous one also signs for a day", async () => {
    const { id, secret } = await create(viewer, { name: "rotated" });
    const answer = await viewer.mutate("webhooks.rotateSecret", { id });
    expect((answer.data as { readonly secret: string }).secret).not.toBe(secret);
    await viewer.mutate("webhooks.test", { id });
    const header = String(receiver.received.at(-1)?.headers["cloudwright-signature"]);
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    const shown = (await list(viewer)).find((each) => each.id === id);
    expect(shown?.previousUntil).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(await auditOf("account.webhook-secret")).toMatchObject({ after: { newSecret: true } });
  });

  it("is removed with its deliveries", async () => {
    const { id } = await create(viewer, { name: "removed" });
    await viewer.mutate("webhooks.test", { id });
    await viewer.mutate("webhooks.remove", { id, why: "Not needed" });
    expect(await ledger().prisma.webhookDelivery.count({ where: { webhookId: id } })).toBe(0);
    expect(await auditOf("account.webhook-remove")).toMatchObject({ why: "Not needed" });
    expect(await viewer.mutate("webhooks.remove", { id })).toMatchObject({ code: "FORBIDDEN" });
  });
});

describe("a cluster's webhook", () => {
  it("is added by an admin, recorded in the cluster's chain, and visible to everybody there", async () => {
    const refused = { name: "x", form: "slack", rules: RULES, url: receiver.url, cluster: CLUSTER };
    expect(await viewer.mutate("webhooks.create", refused)).toMatchObject({ code: "FORBIDDEN" });
    const { id } = await create(admin, { name: "shared", cluster: CLUSTER });
    const shown = (await list(viewer)).find((each) => each.id === id);
    expect(shown).toMatchObject({ mayChange: false, cluster: { id: CLUSTER, name: "prod-eu" } });
    expect(await viewer.mutate("webhooks.test", { id })).toMatchObject({ code: "FORBIDDEN" });
    expect(await auditOf("account.webhook-create")).toMatchObject({ chain: CLUSTER });
    const unknown = await admin.mutate("webhooks.create", { ...refused, cluster: "nowhere" });
    expect(unknown).toMatchObject({ code: "NOT_FOUND" });
  });

  it("is not visible to users who may not see the cluster", async () => {
    const blind = await server.signedIn("admin");
    const [shared] = (await list(admin)).filter(({ cluster }) => cluster !== undefined);
    await ledger().prisma.user.update({ where: { id: blind.userId }, data: { restricted: true } });
    expect(await list(blind)).toEqual([]);
    const remove = await blind.mutate("webhooks.remove", { id: shared?.id });
    expect(remove).toMatchObject({ code: "NOT_FOUND" });
    const deliveries = await blind.query("webhooks.deliveries", {});
    expect(deliveries.data).toMatchObject({ rows: [] });
  });
});

describe("an invalid webhook", () => {
  it.each([
    ["a URL of another kind", { url: "ftp://example.org" }, /https:\/\//],
    ["a URL with a password", { url: "https://a:b@example.org" }, /password/],
    ["no condition", { rules: {} }, /not valid|condition/],
    ["a condition after no time", { rules: { stuck: { afterMinutes: 0 } } }, /./],
    ["no name", { name: " " }, /./],
  ])("is refused: %s", async (_what, over, message) => {
    const answer = await viewer.mutate("webhooks.create", {
      ...{ name: "x", form: "cloudwright", rules: RULES, url: "https://example.org", ...over },
    });
    expect(answer).toMatchObject({ code: "BAD_REQUEST" });
    expect(answer.message).toMatch(message);
  });

  it("is refused beyond twenty per user", async () => {
    const many = await server.signedIn("viewer");
    for (let count = 0; count < 20; count += 1) await create(many, { name: `w ${count}` });
    const answer = await many.mutate("webhooks.create", {
      ...{ name: "one more", form: "slack", rules: RULES, url: "https://example.org" },
    });
    expect(answer).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});
