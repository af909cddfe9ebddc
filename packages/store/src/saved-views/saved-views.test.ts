import type { Role } from "@cloudwright/core/model/roles";
import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { CLUSTER } from "../../testing/records.ts";
import type { VerbContext } from "../operations/verb.ts";
import type { ClusterAccess } from "../users/cluster-access.ts";
import { SAVED_VIEWS_MOST } from "../views/saved-views.ts";
import {
  changeView,
  listViews,
  removeView,
  type SaveViewInput,
  saveView,
  saveViewSchema,
} from "./saved-views.ts";

const database = useClusterDatabase();
const OTHER = "0b000000-0000-4000-8000-00000000000b";
const STUCK: SaveViewInput = {
  ...{ name: "stuck in a", shared: false },
  list: {
    ...{ page: "nodes", search: "?state=stuck&zone=a&peek=w-1" },
    columns: { table: "nodes", hidden: ["type", "address", "type"] },
  },
};

async function user(name: string, role: Role = "viewer", clusters: ClusterAccess = "all") {
  const access = clusters === "all" ? {} : { restricted: true, clusters: [...clusters] };
  await database.db.prisma.user.create({
    data: { id: name, name, email: `${name}@example.org`, role, emailVerified: true, ...access },
  });
  return { db: database.db, actor: { id: name, name, role, clusters } } satisfies VerbContext;
}

async function namesOf(reader: VerbContext): Promise<readonly string[]> {
  return (await listViews(reader)).map(({ name }) => name);
}

function audit() {
  return database.db.prisma.auditEntry.findMany({ orderBy: { at: "asc" } });
}

describe("a private view", () => {
  test("keeps page, filter and columns, and nothing of what was looked at", async () => {
    const ana = await user("ana");
    const { id } = await saveView(ana, STUCK);
    expect(await listViews(ana)).toEqual([
      {
        ...{ id, name: "stuck in a", cluster: undefined, page: "nodes" },
        search: "state=stuck&zone=a",
        columns: { table: "nodes", hidden: ["address", "type"] },
        ...{ isShared: false, isOwn: true, mayChange: true, owner: "ana" },
      },
    ]);
  });

  test("is nobody else's to see or change, not even an admin's", async () => {
    const [ana, bo, admin] = [await user("ana"), await user("bo"), await user("root", "admin")];
    const { id } = await saveView(ana, STUCK);
    for (const other of [bo, admin]) {
      expect(await listViews(other)).toEqual([]);
      await expect(changeView(other, { id, name: "x" })).rejects.toMatchObject({
        code: "NotFound",
      });
      await expect(removeView(other, { id })).rejects.toMatchObject({ code: "NotFound" });
    }
    expect(await namesOf(ana)).toEqual(["stuck in a"]);
  });

  test("is on the record without its name and filter, which others read there", async () => {
    const ana = await user("ana");
    const { id } = await saveView(ana, STUCK);
    await changeView(ana, { id, name: "mine" });
    await expect(removeView(await user("bo"), { id })).rejects.toThrow();
    await removeView(ana, { id });
    const entries = await audit();
    expect(entries.map(({ action, result }) => [action, result])).toEqual([
      ["account.view-save", "applied"],
      ["account.view-change", "applied"],
      ["account.view-remove", "refused"],
      ["account.view-remove", "applied"],
    ]);
    const recorded = JSON.stringify(
      entries.map(({ before, after, objectName }) => [before, after, objectName]),
    );
    expect(recorded).not.toMatch(/stuck|mine/);
  });
});

describe("a shared view", () => {
  test("is everybody's to open, and an admin's to change besides its owner", async () => {
    const [ana, bo, admin] = [await user("ana"), await user("bo"), await user("root", "admin")];
    const { id } = await saveView(ana, { ...STUCK, shared: true });
    expect(await listViews(bo)).toMatchObject([
      { id, isOwn: false, mayChange: false, owner: "ana" },
    ]);
    expect(await listViews(admin)).toMatchObject([{ id, isOwn: false, mayChange: true }]);
    await expect(changeView(bo, { id, name: "x" })).rejects.toMatchObject({
      ...{ code: "Forbidden", message: expect.stringContaining("admin") },
    });
    await changeView(admin, { id, name: "stuck nodes" });
    expect(await namesOf(bo)).toEqual(["stuck nodes"]);
    await removeView(admin, { id });
    expect(await listViews(ana)).toEqual([]);
    expect((await audit()).filter(({ result }) => result === "applied").at(-1)).toMatchObject({
      ...{ action: "account.view-remove", actorId: "root", objectName: "stuck nodes" },
      before: { shared: true, name: "stuck nodes", page: "nodes", search: "state=stuck&zone=a" },
    });
  });

  test("becomes private again, and then is its owner's alone", async () => {
    const [ana, bo] = [await user("ana"), await user("bo")];
    const { id } = await saveView(ana, { ...STUCK, shared: true });
    await changeView(ana, { id, shared: false });
    expect(await listViews(bo)).toEqual([]);
    expect(await listViews(ana)).toMatchObject([{ id, isShared: false }]);
  });
});

describe("a view of one cluster", () => {
  test("is there for whoever may see the cluster, and in the cluster's record", async () => {
    const ana = await user("ana");
    const inside = await user("in", "admin", [CLUSTER]);
    const outside = await user("out", "admin", [OTHER]);
    const { id } = await saveView(ana, { ...STUCK, shared: true, cluster: CLUSTER });
    expect(await listViews(inside)).toMatchObject([{ id, cluster: CLUSTER, mayChange: true }]);
    expect(await listViews(outside)).toEqual([]);
    await expect(removeView(outside, { id })).rejects.toMatchObject({ code: "NotFound" });
    await expect(saveView(outside, { ...STUCK, cluster: CLUSTER })).rejects.toMatchObject({
      code: "NotFound",
    });
    await changeView(inside, { id, name: "renamed" });
    const [saved] = await audit();
    expect(saved).toMatchObject({ chain: CLUSTER, action: "account.view-save" });
  });

  test("is kept from its own owner once they may not see the cluster any more", async () => {
    const ana = await user("ana");
    const { id } = await saveView(ana, { ...STUCK, cluster: CLUSTER });
    const later = { ...ana, actor: { ...ana.actor, clusters: [OTHER] } };
    expect(await listViews(later)).toEqual([]);
    await expect(removeView(later, { id })).rejects.toMatchObject({ code: "NotFound" });
  });

  test("needs a cluster that is known", async () => {
    const ana = await user("ana");
    await expect(saveView(ana, { ...STUCK, cluster: OTHER })).rejects.toMatchObject({
      code: "NotFound",
    });
  });

  test("a shared one of all clusters is kept by an admin of all clusters alone", async () => {
    const ana = await user("ana");
    const some = await user("some", "admin", [CLUSTER]);
    const { id } = await saveView(ana, { ...STUCK, shared: true });
    expect(await listViews(some)).toMatchObject([{ id, mayChange: false }]);
    await expect(removeView(some, { id })).rejects.toMatchObject({ code: "Forbidden" });
  });
});

describe("what cannot be saved", () => {
  test("a name twice, by the same user", async () => {
    const [ana, bo] = [await user("ana"), await user("bo")];
    await saveView(ana, STUCK);
    await saveView(bo, STUCK);
    await expect(saveView(ana, STUCK)).rejects.toMatchObject({
      ...{ code: "Conflict", message: expect.stringContaining("stuck in a already") },
    });
    const { id } = await saveView(ana, { ...STUCK, name: "another" });
    await expect(changeView(ana, { id, name: STUCK.name })).rejects.toMatchObject({
      code: "Conflict",
    });
    await changeView(ana, { id, list: { page: "runs", search: "q=outcome:failed" } });
    expect(await listViews(ana)).toMatchObject([
      { name: "another", page: "runs", search: "q=outcome:failed", columns: undefined },
      { name: "stuck in a", page: "nodes" },
    ]);
  });

  test("more than a user may have", async () => {
    const ana = await user("ana");
    const { id, ownerId, ...rest } = await savedRow(ana);
    await database.db.prisma.savedView.createMany({
      data: Array.from({ length: SAVED_VIEWS_MOST - 1 }, (_none, index) => ({
        ...{ ...rest, ownerId, name: `view ${index}` },
        id: `${id.slice(0, -4)}${String(index).padStart(4, "0")}`,
      })),
    });
    await expect(saveView(ana, { ...STUCK, name: "one more" })).rejects.toMatchObject({
      ...{ code: "Limit", message: expect.stringContaining("remove one") },
    });
  });

  test.each([
    ["", /Give the view a name/],
    ["   ", /Give the view a name/],
    ["x".repeat(81), /at most 80/],
    ["two\nlines", /one line/],
    ["nul\0", /cannot be stored/],
  ])("the name %j", (name, sentence) => {
    const parsed = saveViewSchema.safeParse({ ...STUCK, name });
    expect(parsed.error?.issues[0]?.message).toMatch(sentence);
  });

  test.each([
    { page: "settings" },
    { search: "x".repeat(2_001) },
    { columns: { table: "nodes", hidden: ["a column of no table"] } },
    { columns: { table: "nodes", hidden: Array.from({ length: 41 }, () => "type") } },
  ])("the list %j", (over) => {
    expect(saveViewSchema.safeParse({ ...STUCK, list: { ...STUCK.list, ...over } }).success).toBe(
      false,
    );
  });
});

async function savedRow(context: VerbContext) {
  const { id } = await saveView(context, STUCK);
  return database.db.prisma.savedView.findUniqueOrThrow({ where: { id } });
}
