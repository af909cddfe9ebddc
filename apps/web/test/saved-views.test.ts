import type { SavedView } from "@cloudwright/store/views/saved-views";
import { beforeAll, describe, expect, it } from "vitest";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, testDashboard } from "./testing/dashboard-server.ts";

const VIEW = {
  ...{ name: "stuck in a", shared: false },
  list: { page: "nodes", search: "state=stuck&zone=a" },
};

const server = testDashboard([heartbeat()]);
let viewer: Browser;
let other: Browser;
let admin: Browser;
beforeAll(async () => {
  viewer = await server.signedIn("viewer");
  other = await server.signedIn("viewer");
  admin = await server.signedIn("admin");
});

async function save(browser: Browser, over: object = {}): Promise<string> {
  const answer = await browser.mutate("savedViews.save", { ...VIEW, ...over });
  expect(answer.message).toBeUndefined();
  return (answer.data as { readonly id: string }).id;
}

async function list(browser: Browser): Promise<readonly SavedView[]> {
  return (await browser.query("savedViews.list")).data as readonly SavedView[];
}

const changes = (id: string) =>
  [
    ["savedViews.change", { id, name: "taken" }],
    ["savedViews.change", { id, shared: true }],
    ["savedViews.change", { id, list: VIEW.list }],
    ["savedViews.remove", { id }],
  ] as const;

describe("a user's private view", () => {
  it("is seen and changed by nobody else, not even an admin", async () => {
    const id = await save(viewer);
    for (const browser of [other, admin]) {
      expect((await list(browser)).map((view) => view.id)).not.toContain(id);
      for (const [path, input] of changes(id)) {
        expect(await browser.mutate(path, input), path).toMatchObject({ code: "NOT_FOUND" });
      }
    }
    expect(await list(viewer)).toMatchObject([{ id, name: "stuck in a", isShared: false }]);
  });
});

describe("a shared view", () => {
  it("is opened by everybody, and changed by its owner and by admins", async () => {
    const id = await save(viewer, { name: "shared", shared: true, cluster: CLUSTER });
    expect(await list(other)).toMatchObject([{ id, mayChange: false, cluster: CLUSTER }]);
    for (const [path, input] of changes(id)) {
      expect(await other.mutate(path, input), path).toMatchObject({ code: "FORBIDDEN" });
    }
    await admin.mutate("savedViews.change", { id, name: "renamed" });
    expect(await list(other)).toMatchObject([{ id, name: "renamed" }]);
    const entry = await ledger().prisma.auditEntry.findFirst({
      where: { action: "account.view-change", result: "applied" },
    });
    expect(entry).toMatchObject({
      ...{ chain: CLUSTER, actorId: admin.userId, objectName: "shared", objectUid: id },
      ...{ before: { name: "shared" }, after: { name: "renamed" } },
    });
    await viewer.mutate("savedViews.remove", { id });
    expect(await list(other)).toEqual([]);
  });

  it("of a cluster does not exist for users restricted to others", async () => {
    const id = await save(viewer, { name: "of the cluster", shared: true, cluster: CLUSTER });
    const everywhere = await save(viewer, { name: "of all", shared: true });
    await ledger().prisma.user.update({
      where: { id: other.userId },
      data: { restricted: true, clusters: ["another"] },
    });
    expect((await list(other)).map((view) => view.id)).toEqual([everywhere]);
    for (const [path, input] of changes(id)) {
      expect(await other.mutate(path, input), path).toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await other.mutate("savedViews.save", { ...VIEW, cluster: CLUSTER })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

it("a taken name is refused with a sentence, and an invalid one is not accepted", async () => {
  await save(admin, { name: "twice" });
  expect(await admin.mutate("savedViews.save", { ...VIEW, name: "twice" })).toMatchObject({
    ...{ code: "CONFLICT", message: expect.stringContaining("replace it") },
  });
  for (const name of ["", " ", "x".repeat(81)]) {
    const answer = await admin.mutate("savedViews.save", { ...VIEW, name });
    expect(answer, name).toMatchObject({ code: "BAD_REQUEST" });
  }
});
