import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import { acceptApiToken } from "./accept-api-token.ts";
import { apiTokenHash, newApiToken } from "./api-token-text.ts";
import {
  type CreateTokenInput,
  createToken,
  listOwnTokens,
  listTokens,
  revokeToken,
} from "./api-tokens.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { changeRole, disableUser, enableUser, setClusters } from "./users.ts";

const database = useClusterDatabase();
const CLIENT = { address: "192.0.2.7", agent: "curl" };
const PERSONAL = {
  ...{ kind: "personal", name: "laptop", role: "viewer", clusters: "all", days: 30 },
} as const satisfies CreateTokenInput;
const SERVICE = { ...PERSONAL, kind: "service", name: "backup" } as const;

async function user(name: string, role: Role, clusters: ClusterAccess = "all") {
  const access = clusters === "all" ? {} : { restricted: true, clusters: [...clusters] };
  await database.db.prisma.user.create({
    data: { id: name, name, email: `${name}@example.org`, role, emailVerified: true, ...access },
  });
  return { db: database.db, actor: { id: name, name, role, clusters } } satisfies VerbContext;
}

function use(token: string) {
  return acceptApiToken(database.db, { token, client: CLIENT, asked: "GET /api/v1/clusters" });
}

function audit() {
  return database.db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

describe("a personal token", () => {
  test("stands for its user, is stored only as a hash, and is audited without its text", async () => {
    const ana = await user("ana", "operator");
    const { token, view } = await createToken(ana, { ...PERSONAL, role: "operator" });
    expect(view).toMatchObject({
      name: "laptop",
      role: "operator",
      clusters: "all",
      state: "active",
    });
    expect(await use(token)).toMatchObject({
      kind: "good",
      holder: { id: "ana", name: "ana", role: "operator", clusters: "all", tokenId: view.id },
    });
    const row = await database.db.prisma.apiToken.findFirstOrThrow();
    expect(row.tokenHash).toBe(apiTokenHash(token));
    const entries = await audit();
    expect(entries).toMatchObject([
      {
        ...{ action: "account.token-create", actorId: "ana", result: "applied" },
        ...{ objectKind: "ApiToken", objectName: "laptop", objectUid: view.id },
        after: { kind: "personal", name: "laptop", role: "operator", clusters: "all" },
      },
    ]);
    const kept = JSON.stringify([row, entries, view], (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(kept).not.toContain(token);
  });

  test("loses rights when its user does, and never has more than it was made with", async () => {
    const ana = await user("ana", "admin");
    const bo = await user("bo", "admin");
    const { token } = await createToken(ana, { ...PERSONAL, role: "operator" });
    await setClusters(bo, { id: "ana", clusters: [CLUSTER] });
    await changeRole(bo, { id: "ana", role: "viewer" });
    expect(await use(token)).toMatchObject({ holder: { role: "viewer", clusters: [CLUSTER] } });
    await changeRole(bo, { id: "ana", role: "admin" });
    expect(await use(token)).toMatchObject({ holder: { role: "operator" } });
    await setClusters(bo, { id: "ana", clusters: [] });
    expect(await use(token)).toMatchObject({ holder: { clusters: [] } });
    await disableUser(bo, { id: "ana" });
    expect(await use(token)).toMatchObject({ kind: "refused", why: /disabled/ });
    expect(await listTokens(bo)).toMatchObject([{ state: "blocked" }]);
    await enableUser(bo, { id: "ana" });
    expect(await use(token)).toMatchObject({ kind: "good" });
    await database.db.prisma.user.delete({ where: { id: "ana" } });
    expect(await use(token)).toMatchObject({ kind: "refused", why: /not known/ });
  });

  test("may be restricted to some of its user's clusters, and to no others", async () => {
    const ana = await user("ana", "viewer", [CLUSTER]);
    const { token } = await createToken(ana, { ...PERSONAL, clusters: [CLUSTER, CLUSTER] });
    expect(await use(token)).toMatchObject({ holder: { clusters: [CLUSTER] } });
    const other = createToken(ana, { ...PERSONAL, name: "x", clusters: ["elsewhere"] });
    await expect(other).rejects.toMatchObject({ code: "NotFound" });
    const bo = await user("bo", "admin");
    const unknown = createToken(bo, { ...PERSONAL, clusters: ["elsewhere"] });
    await expect(unknown).rejects.toMatchObject({ code: "NotFound" });
  });

  test("has at most the role of its maker, and a refused attempt is audited", async () => {
    const ana = await user("ana", "viewer");
    const more = createToken(ana, { ...PERSONAL, role: "admin" });
    await expect(more).rejects.toMatchObject({ code: "Forbidden", message: /your own role/ });
    expect(await audit()).toMatchObject([{ action: "account.token-create", result: "refused" }]);
    expect(await listOwnTokens(ana)).toEqual([]);
  });

  test("has a name that no other live token of its user has", async () => {
    const ana = await user("ana", "viewer");
    const bo = await user("bo", "viewer");
    const { view } = await createToken(ana, PERSONAL);
    await expect(createToken(ana, PERSONAL)).rejects.toMatchObject({ code: "Conflict" });
    await createToken(bo, PERSONAL);
    await revokeToken(ana, { id: view.id });
    await createToken(ana, PERSONAL);
  });
});

describe("a service token", () => {
  test("is an admin's to make, and stays valid when that admin is gone", async () => {
    const ana = await user("ana", "admin");
    const bo = await user("bo", "admin");
    await expect(createToken(await user("cy", "operator"), SERVICE)).rejects.toMatchObject({
      code: "Forbidden",
    });
    await expect(createToken(await user("di", "admin", [CLUSTER]), SERVICE)).rejects.toMatchObject({
      code: "Forbidden",
    });
    const { token, view } = await createToken(ana, { ...SERVICE, clusters: [CLUSTER] });
    expect(view).toMatchObject({ kind: "service", owner: undefined, createdBy: "ana" });
    await disableUser(bo, { id: "ana" });
    expect(await use(token)).toMatchObject({
      holder: { id: `token:${view.id}`, name: "backup", role: "viewer", clusters: [CLUSTER] },
    });
  });
});

describe("the end of a token", () => {
  test("comes when it is revoked, by its user or an admin of all clusters and nobody else", async () => {
    const ana = await user("ana", "viewer");
    const bo = await user("bo", "operator");
    const cy = await user("cy", "admin");
    const di = await user("di", "admin", [CLUSTER]);
    const { token, view } = await createToken(ana, PERSONAL);
    for (const other of [bo, di]) {
      await expect(revokeToken(other, { id: view.id })).rejects.toMatchObject({
        code: "Forbidden",
      });
    }
    expect(await use(token)).toMatchObject({ kind: "good" });
    await revokeToken(cy, { id: view.id, why: "leaked" });
    expect(await use(token)).toMatchObject({ kind: "refused", why: /revoked/ });
    await expect(revokeToken(ana, { id: view.id })).rejects.toMatchObject({ code: "NotFound" });
    expect(await listOwnTokens(ana)).toEqual([]);
    const entries = await audit();
    expect(entries.filter(({ result }) => result === "applied").at(-1)).toMatchObject({
      ...{ action: "account.token-revoke", actorId: "cy", why: "leaked", objectName: "laptop" },
      before: { name: "laptop", owner: "ana@example.org" },
    });
  });

  test("comes when it expires, which the list still shows", async () => {
    const ana = await user("ana", "viewer");
    const { token, view } = await createToken(ana, { ...PERSONAL, days: 1 });
    const past = new Date(Date.now() - 1_000);
    await database.db.prisma.apiToken.update({ where: { id: view.id }, data: { expiresAt: past } });
    expect(await use(token)).toMatchObject({ kind: "refused", why: /expired at/ });
    expect(await listOwnTokens(ana)).toMatchObject([{ state: "expired" }]);
  });
});

describe("a use", () => {
  test("is noted with its address, at most once a minute", async () => {
    const ana = await user("ana", "viewer");
    const { token, view } = await createToken(ana, PERSONAL);
    await use(token);
    const [first] = await listOwnTokens(ana);
    expect(first).toMatchObject({ lastUsedAddress: CLIENT.address });
    await use(token);
    expect((await listOwnTokens(ana))[0]?.lastUsedAt).toBe(first?.lastUsedAt);
    const before = new Date(Date.now() - 61_000);
    await database.db.prisma.apiToken.update({
      where: { id: view.id },
      data: { lastUsedAt: before },
    });
    await use(token);
    expect((await listOwnTokens(ana))[0]?.lastUsedAt).toBeGreaterThan(before.getTime());
  });

  test("that is refused is audited, under the token's name if it exists", async () => {
    const ana = await user("ana", "viewer");
    const { token, view } = await createToken(ana, PERSONAL);
    await revokeToken(ana, { id: view.id });
    await use(token);
    await use(newApiToken());
    await use("no token at all");
    const refused = (await audit()).filter(({ action }) => action === "account.refused");
    expect(refused).toMatchObject([
      {
        ...{ actorId: "nobody", objectKind: "ApiToken", objectName: "laptop", objectUid: view.id },
        after: { request: "GET /api/v1/clusters", attempt: "api-token", owner: "ana@example.org" },
        clientAddress: CLIENT.address,
      },
      { objectKind: null, after: { owner: null } },
      { objectKind: null },
    ]);
  });
});
