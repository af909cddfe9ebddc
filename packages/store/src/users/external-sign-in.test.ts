import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER } from "../../testing/records.ts";
import { signedIn } from "../../testing/signed-in.ts";
import { admitExternalUser, EXTERNAL_REFUSALS, type ExternalIdentity } from "./external-sign-in.ts";
import { setPassword } from "./set-password.ts";
import { changeRole, disableUser, listUsers, setClusters } from "./users.ts";

const database = useClusterDatabase();

const ANA: ExternalIdentity = {
  issuer: "https://id.example.org",
  subject: "ana-1",
  email: "ana@example.org",
  name: "Ana",
  role: "operator",
  clusters: undefined,
};

const admit = (changed: Partial<ExternalIdentity> = {}) =>
  admitExternalUser(
    { db: database.db, client: { address: "::1", agent: "Firefox" } },
    { ...ANA, ...changed },
  );
const refused = (sentence: string) => ({ code: "Forbidden", message: sentence });
const userOf = (id: string) => database.db.prisma.user.findUniqueOrThrow({ where: { id } });
const entries = () => database.db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });

describe("the first sign-in of an identity", () => {
  test("creates its user, by the identity provider, with an audit entry", async () => {
    const { id, role } = await admit();
    expect(role).toBe("operator");
    expect(await userOf(id)).toMatchObject({ email: "ana@example.org", restricted: false });
    expect(await entries()).toMatchObject([
      {
        actorName: "Identity provider",
        action: "account.create",
        objectUid: id,
        after: { email: "ana@example.org", role: "operator", clusters: "all" },
        clientAddress: "::1",
      },
    ]);
  });

  test("creates one user when it comes twice at once", async () => {
    const both = await Promise.all([admit(), admit()]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(await database.db.prisma.user.count()).toBe(1);
  });

  test("creates nobody without a role", async () => {
    await expect(admit({ role: undefined })).rejects.toMatchObject(refused(EXTERNAL_REFUSALS.role));
    expect(await database.db.prisma.user.count()).toBe(0);
    expect(await entries()).toMatchObject([
      { action: "account.refused", after: { subject: "ana-1" }, why: EXTERNAL_REFUSALS.role },
    ]);
  });

  test.each(["a local user", "another identity"])(
    "never takes over %s of its address",
    async (whose) => {
      if (whose === "another identity") await admit({ subject: "other" });
      else await database.db.prisma.user.create({ data: { ...LOCAL, email: ANA.email } });
      await expect(admit({ role: "admin" })).rejects.toMatchObject(
        refused(EXTERNAL_REFUSALS.taken),
      );
      expect(await database.db.prisma.user.count()).toBe(1);
      expect(await database.db.prisma.user.count({ where: { role: "admin" } })).toBe(0);
    },
  );

  test("of another issuer is another user's, whatever its subject", async () => {
    await admit();
    const other = { issuer: "https://evil.example", role: "admin" } as const;
    await expect(admit(other)).rejects.toMatchObject(refused(EXTERNAL_REFUSALS.taken));
  });
});

const LOCAL = { id: "local", name: "Local", role: "viewer", emailVerified: true };

describe("each further sign-in", () => {
  test("sets today's role and names, and records what changed", async () => {
    const { id } = await admit();
    expect(await admit({ role: "viewer", name: "Ana B.", email: "ab@example.org" })).toEqual({
      ...{ id, role: "viewer", name: "Ana B.", email: "ab@example.org" },
    });
    await admit({ role: "viewer", name: "Ana B.", email: "ab@example.org" });
    const [, change, ...more] = await entries();
    expect(change).toMatchObject({
      action: "account.change",
      before: { role: "operator" },
      after: { role: "viewer" },
    });
    expect(more).toEqual([]);
  });

  test("leaves an address to another account that has it", async () => {
    const { id } = await admit();
    await database.db.prisma.user.create({ data: { ...LOCAL, email: "ab@example.org" } });
    expect(await admit({ email: "ab@example.org" })).toMatchObject({ id, email: ANA.email });
  });

  test("removes a lost role, with its sessions, and restores it later", async () => {
    const { id } = await admit({ role: "admin" });
    await database.db.prisma.session.create({
      data: { id: randomUUID(), token: randomUUID(), userId: id, expiresAt: new Date("2099") },
    });
    await expect(admit({ role: undefined })).rejects.toMatchObject(refused(EXTERNAL_REFUSALS.role));
    expect(await userOf(id)).toMatchObject({ role: "viewer" });
    expect(await database.db.prisma.session.count({ where: { userId: id } })).toBe(0);
    expect((await entries())[1]).toMatchObject({
      before: { role: "admin" },
      after: { role: "viewer", endedSessions: 1 },
    });
    expect(await admit({ role: "admin" })).toMatchObject({ id, role: "admin" });
  });

  test("grants the clusters of the groups, by id or name, and no others", async () => {
    const { id } = await admit({ clusters: [CLUSTER, "nowhere"] });
    expect(await userOf(id)).toMatchObject({ restricted: true, clusters: [CLUSTER] });
    const { name } = await database.db.prisma.cluster.findUniqueOrThrow({ where: { id: CLUSTER } });
    await admit({ clusters: [name] });
    expect(await userOf(id)).toMatchObject({ restricted: true, clusters: [CLUSTER] });
    await admit({ clusters: [] });
    expect(await userOf(id)).toMatchObject({ restricted: true, clusters: [] });
    await admit({ clusters: "all" });
    expect(await userOf(id)).toMatchObject({ restricted: false, clusters: [] });
  });

  test("of a disabled user is refused", async () => {
    const { id } = await admit();
    await database.db.prisma.user.update({ where: { id }, data: { banned: true } });
    await expect(admit()).rejects.toMatchObject(refused(EXTERNAL_REFUSALS.disabled));
    expect((await entries()).at(-1)).toMatchObject({ action: "account.refused", objectUid: id });
  });
});

describe("what the groups decide", () => {
  test("cannot be changed by an admin, who may still disable the user", async () => {
    const admin = { db: database.db, ...(await signedIn(database.db, { name: "Bo" })) };
    const { id } = await admit({ clusters: "all" });
    const refusal = { code: "Precondition" };
    await expect(changeRole(admin, { id, role: "admin" })).rejects.toMatchObject(refusal);
    await expect(setClusters(admin, { id, clusters: [] })).rejects.toMatchObject(refusal);
    await expect(setPassword(admin, { id })).rejects.toMatchObject(refusal);
    const ana = { db: database.db, actor: { id, name: "Ana", role: "operator" as const } };
    const own = { id, password: "correct horse battery" };
    await expect(setPassword(ana, own)).rejects.toMatchObject(refusal);
    expect(await disableUser(admin, { id, why: "left" })).toMatchObject({ disabled: true });
  });

  test("shows in the list of users", async () => {
    const admin = { db: database.db, ...(await signedIn(database.db, { name: "Bo" })) };
    const { id } = await admit({ clusters: "all" });
    const rows = await listUsers(admin);
    expect(rows.find((user) => user.id === id)).toMatchObject({
      ...{ isExternal: true, clustersByGroups: true, hasPassword: false },
    });
    expect(rows.find(({ name }) => name === "Bo")).toMatchObject({ isExternal: false });
  });
});
