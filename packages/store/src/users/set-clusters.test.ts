import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";
import { changeRole, disableUser, listAdmins, listUsers, setClusters } from "./users.ts";

const database = useClusterDatabase();

async function user(name: string, role: Role, clusters: ClusterAccess = "all") {
  const access = clusters === "all" ? {} : { restricted: true, clusters: [...clusters] };
  await database.db.prisma.user.create({
    data: { id: name, name, email: `${name}@example.org`, role, emailVerified: true, ...access },
  });
  return { db: database.db, actor: { id: name, name, role, clusters } } satisfies VerbContext;
}

function audit() {
  return database.db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

describe("restricting a user to clusters", () => {
  test("is audited with the earlier clusters, and can be lifted", async () => {
    const bo = await user("bo", "admin");
    await user("ana", "viewer");
    expect(await setClusters(bo, { id: "ana", clusters: [CLUSTER, CLUSTER] })).toMatchObject({
      clusters: [CLUSTER],
    });
    expect(await setClusters(bo, { id: "ana", clusters: [] })).toMatchObject({ clusters: [] });
    expect(await setClusters(bo, { id: "ana", clusters: "all" })).toMatchObject({
      clusters: "all",
    });
    expect(await audit()).toMatchObject([
      { action: "account.change", before: { clusters: "all" }, after: { clusters: [CLUSTER] } },
      { before: { clusters: [CLUSTER] }, after: { clusters: [] } },
      { before: { clusters: [] }, after: { clusters: "all" } },
    ]);
  });

  test("changes and records nothing when nothing differs", async () => {
    const bo = await user("bo", "admin");
    await user("ana", "viewer", [CLUSTER]);
    await setClusters(bo, { id: "ana", clusters: [CLUSTER] });
    expect(await audit()).toEqual([]);
  });

  test("is refused for a cluster that nobody has reported", async () => {
    const bo = await user("bo", "admin");
    await user("ana", "viewer");
    await expect(setClusters(bo, { id: "ana", clusters: ["nowhere"] })).rejects.toMatchObject({
      code: "Invalid",
    });
    expect((await listUsers(bo)).find(({ id }) => id === "ana")?.clusters).toBe("all");
  });

  test("leaves an admin of all clusters", async () => {
    const bo = await user("bo", "admin");
    await user("cy", "admin", [CLUSTER]);
    const refused = { code: "Precondition" };
    await expect(setClusters(bo, { id: "bo", clusters: [CLUSTER] })).rejects.toMatchObject(refused);
    await expect(changeRole(bo, { id: "bo", role: "viewer" })).rejects.toMatchObject(refused);
    await expect(disableUser(bo, { id: "bo" })).rejects.toMatchObject(refused);
    expect(await listAdmins(database.db)).toEqual(["bo"]);
  });

  test.each(["viewer", "operator"] as const)("is not for a %s", async (role) => {
    const ana = await user("ana", role);
    await user("bo", "viewer");
    await expect(setClusters(ana, { id: "bo", clusters: "all" })).rejects.toThrow(
      /Needs role admin/,
    );
  });

  test("is not for an admin of some clusters, nor is any other change of users", async () => {
    const cy = await user("cy", "admin", [CLUSTER]);
    await user("bo", "viewer");
    const sentence = /Needs an admin of all clusters/;
    await expect(setClusters(cy, { id: "cy", clusters: "all" })).rejects.toThrow(sentence);
    await expect(changeRole(cy, { id: "bo", role: "admin" })).rejects.toThrow(sentence);
    await expect(listUsers(cy)).rejects.toThrow(sentence);
  });
});

test("an admin sees how often and from where an account was tried with a wrong password", async () => {
  const bo = await user("bo", "admin");
  await user("ana", "viewer");
  for (const address of ["192.0.2.1", "192.0.2.1", "203.0.113.9"]) {
    const context = { db: database.db, client: { address, agent: "a test" } };
    const attempt = signInWithPassword(context, { email: "ana@example.org", password: "wrong" });
    await expect(attempt).rejects.toMatchObject({ code: "Forbidden" });
  }
  const users = await listUsers(bo);
  expect(users.map(({ failedSignIns }) => failedSignIns)).toEqual([
    { count: 3, lastAt: expect.any(Number), lastAddress: "203.0.113.9" },
    undefined,
  ]);
});
