import { beforeEach, describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../testing/cluster-database.ts";
import { keepPreferences, preferencesOf } from "./preferences.ts";

const database = useClusterDatabase();

beforeEach(async () => {
  await database.db.prisma.user.createMany({
    data: ["ana", "bo"].map((id) => ({
      ...{ id, name: id, email: `${id}@example.org`, role: "viewer", emailVerified: true },
    })),
  });
});

const keep = (id: string, preferences: Parameters<typeof keepPreferences>[1]) =>
  keepPreferences({ db: database.db, actor: { id, name: id, role: "viewer" } }, preferences);
const of = (id: string) => preferencesOf(database.db, id);

describe("what a user prefers", () => {
  test("is empty at first, then what was chosen, each preference on its own, and only that user's", async () => {
    expect(await of("ana")).toBeUndefined();
    await keep("ana", { density: "compact", hiddenColumns: { nodes: ["zone"] } });
    await keep("ana", { zone: "Asia/Tokyo" });
    await keep("ana", { density: "comfortable" });
    expect(await of("ana")).toEqual({
      density: "comfortable",
      hiddenColumns: { nodes: ["zone"] },
      zone: "Asia/Tokyo",
    });
    expect(await of("bo")).toBeUndefined();
  });

  test("is the choice of the later of two browsers, and neither fails", async () => {
    const choices = Array.from({ length: 8 }, (_, index) =>
      keep("ana", { density: index % 2 === 0 ? "compact" : "normal", shortcuts: false }),
    );
    await Promise.all(choices);
    await keep("ana", { density: "comfortable" });
    expect(await of("ana")).toEqual({ density: "comfortable", shortcuts: false });
  });

  test("keeps the hidden columns of the tables that only the other browser has changed", async () => {
    await keep("ana", { hiddenColumns: { nodes: ["zone"], runs: ["calls"] } });
    await Promise.all([
      keep("ana", { hiddenColumns: { runs: [] } }),
      keep("ana", { hiddenColumns: { audit: ["from"] } }),
    ]);
    expect(await of("ana")).toEqual({
      hiddenColumns: { nodes: ["zone"], runs: [], audit: ["from"] },
    });
  });

  test("forgets the hidden columns of other tables rather than exceed their limit", async () => {
    const tables = (first: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${first + index}`, ["a"]]));
    await keep("ana", { hiddenColumns: tables(0) });
    await keep("ana", { hiddenColumns: tables(10) });
    expect(await of("ana")).toEqual({ hiddenColumns: tables(10) });
  });

  test("leaves out what another release wrote and this one does not know", async () => {
    await database.db.prisma.userPreference.createMany({
      data: [
        { userId: "ana", name: "density", value: "tiny" },
        { userId: "ana", name: "colour", value: "warm" },
        { userId: "ana", name: "time", value: "absolute" },
      ],
    });
    expect(await of("ana")).toEqual({ time: "absolute" });
  });

  test("is not audited", async () => {
    await keep("ana", { density: "compact" });
    expect(await database.db.prisma.auditEntry.count()).toBe(0);
  });
});
