import { beforeAll, describe, expect, it } from "vitest";
import { CLUSTER, heartbeat } from "../../../packages/store/testing/records.ts";
import { LISTS_OF_ALL } from "../src/server/exports/lists-of-all.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, testDashboard } from "./testing/dashboard-server.ts";
import { type Asked, exported as exportedBy, fileOf } from "./testing/exported-file.ts";

const server = testDashboard([heartbeat()]);
let admin: Browser;

beforeAll(async () => {
  admin = await server.signedIn("admin");
});

const exported = (asked: Asked, by?: Browser) => exportedBy(server, asked, by);

describe("an export that belongs to no single cluster", () => {
  const ofAll = (list: string, by: Browser, filter: object = {}) =>
    fileOf(server, { list, filter, cluster: undefined }, by);

  it("has the clusters in the page's order, and does not name one cluster as its source", async () => {
    const file = await ofAll("clusters", admin);
    expect(file.cluster).toBeUndefined();
    expect(file.rows).toContainEqual(
      expect.objectContaining({ name: "prod-eu", id: CLUSTER, leader: "ctl-1" }),
    );
    const causes = await ofAll("shared-causes", admin);
    expect(causes.order).toBe("shown");
    const { rows } = await ofAll("compared-flags", admin);
    expect(rows).toContainEqual(expect.objectContaining({ name: "version", cluster: "prod-eu" }));
  });

  it("has only the clusters that the user may see", async () => {
    const restricted = await server.signedIn("viewer");
    await admin.mutate("people.setClusters", { id: restricted.userId, clusters: [] });
    for (const list of ["clusters", "shared-causes", "compared-flags"]) {
      expect((await ofAll(list, restricted)).rows, list).toEqual([]);
    }
  });

  it("has users and sessions, but nothing that anybody could sign in with", async () => {
    const users = await ofAll("users", admin);
    expect(users.rows).toContainEqual(expect.objectContaining({ id: admin.userId, role: "admin" }));
    const sessions = await ofAll("sessions", admin, { of: "own" });
    expect(sessions.rows).toEqual([expect.objectContaining({ this: true })]);
    const kept = await ledger().prisma.session.findMany({ select: { id: true, token: true } });
    const text = JSON.stringify([users, await ofAll("sessions", admin, { of: "all" })]);
    for (const { id, token } of kept) {
      expect(text.includes(id), "the id of a session").toBe(false);
      expect(text.includes(token), "the token of a session").toBe(false);
    }
  });

  it("has tokens by panel, and never a token or its hash", async () => {
    const owner = await server.signedIn("admin");
    const given = { role: "viewer", clusters: "all", days: 1 };
    const made = await owner.mutate("tokens.create", { ...given, kind: "personal", name: "mine" });
    await owner.mutate("tokens.create", { ...given, kind: "service", name: "robot" });
    const own = await ofAll("tokens", owner, { of: "own" });
    expect(own.rows.map(({ name }) => name)).toEqual(["mine"]);
    const services = await ofAll("tokens", owner, { of: "services" });
    expect(services.rows.map(({ name }) => name)).toEqual(["robot"]);
    const others = await ofAll("tokens", admin, { of: "others" });
    expect(others.rows.map(({ name }) => name)).toContain("mine");
    const text = JSON.stringify([own, services, others]);
    expect(text).not.toContain((made.data as { readonly token: string }).token);
    const hashes = await ledger().prisma.apiToken.findMany({ select: { tokenHash: true } });
    expect(hashes.length).toBeGreaterThan(1);
    for (const { tokenHash } of hashes) expect(text).not.toContain(tokenHash);
  });

  it("has webhooks without the secret part of their address, and what they sent", async () => {
    const owner = await server.signedIn("admin");
    const created = await owner.mutate("webhooks.create", {
      ...{ name: "chat", url: "https://hooks.example.org/services/T0/very-secret" },
      ...{ form: "slack", rules: { stuck: { afterMinutes: 5 } }, cluster: CLUSTER },
    });
    expect(created, created.message).toMatchObject({ status: 200 });
    const file = await ofAll("webhooks", owner);
    expect(file.rows).toEqual([
      expect.objectContaining({ name: "chat", origin: "https://hooks.example.org" }),
    ]);
    const text = JSON.stringify(file);
    expect(text).not.toContain("very-secret");
    expect(text).not.toContain((created.data as { readonly secret: string }).secret);
    const sent = await ofAll("deliveries", owner, { states: ["failed"] });
    expect([sent.rows, sent.filter]).toEqual([[], { states: ["failed"] }]);
  });

  it.each(["users", "sessions", "tokens"])("of all %s is an admin's", async (list) => {
    const filter = { sessions: { of: "all" }, tokens: { of: "others" } }[list] ?? {};
    expect((await exported({ list, filter, cluster: undefined })).status).toBe(403);
  });

  it.each(Object.keys(LISTS_OF_ALL))("of %s takes no cluster and no other filter", async (list) => {
    expect((await exported({ list }, await server.signedIn("admin"))).status).toBe(400);
    const asked = { list, cluster: undefined, filter: { colour: "red" } };
    expect((await exported(asked, await server.signedIn("admin"))).status).toBe(400);
  });

  it("leaves its entry in the accounts' chain", async () => {
    const owner = await server.signedIn("admin");
    await ofAll("users", owner);
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { actorId: owner.userId, action: "list.export" },
    });
    expect(entries.map(({ chain, why }) => [chain, why])).toEqual([
      ["accounts", "Exported the list of users as json"],
    ]);
  });

  it("is refused if a cluster's list is named without the cluster", async () => {
    expect((await exported({ list: "nodes", cluster: undefined })).status).toBe(400);
  });
});
