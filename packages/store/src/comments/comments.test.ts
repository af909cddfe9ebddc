import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import { beforeEach, describe, expect, test } from "vitest";
import { CLUSTER, runEnd } from "../../testing/records.ts";
import { testLedger } from "../../testing/test-ledger.ts";
import { lazyConnection } from "../ledger/connection.ts";
import type { VerbContext } from "../operations/verb.ts";
import { doStep } from "../sql/upkeep.ts";
import { COMMENT_MOST, COMMENTS_MOST, type CommentTarget } from "../views/comments.ts";
import { addComment, addCommentSchema, listComments, withdrawComment } from "./comments.ts";

const ledger = testLedger();
const OTHER = "0b000000-0000-4000-8000-00000000000b";
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await ledger.db.prisma.cluster.create({
    data: { id: CLUSTER, name: "prod-eu", provider: "sandbox", lastHeardAt: new Date() },
  });
});

function user(name: string, role: Role = "operator", clusters?: readonly string[]): VerbContext {
  return {
    db: ledger.db,
    actor: { id: name, name, role, ...(clusters === undefined ? {} : { clusters }) },
  };
}

async function aRun(over: Parameters<typeof runEnd>[0] = {}): Promise<CommentTarget> {
  const run = runEnd(over);
  await ledger.write(run);
  return { kind: "run", id: run.id };
}

async function anAction(state = "requested", at = new Date()): Promise<CommentTarget> {
  const { id } = await ledger.db.prisma.intent.create({
    data: {
      ...{ id: randomUUID(), clusterId: CLUSTER, kind: "retry", state, why: "looked at" },
      ...{ controller: "cloud-node-controller", objectKind: "Node", objectName: "w-2" },
      ...{ actorId: "u", actorName: "Vic", requestedAt: at, updatedAt: at, expiresAt: at },
    },
  });
  return { kind: "action", id };
}

function add(by: VerbContext, about: CommentTarget, text: string) {
  return addComment(by, { cluster: CLUSTER, about, text });
}

async function textsOf(about: CommentTarget): Promise<readonly string[]> {
  const comments = await listComments(user("reader", "viewer"), { cluster: CLUSTER, about });
  return comments.map(({ text }) => text);
}

function audit() {
  return ledger.db.prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}

describe.each<["run" | "action", () => Promise<CommentTarget>]>([
  ["run", aRun],
  ["action", anAction],
])("comments on one %s", (kind, make) => {
  test("are listed oldest first, each with its author, and only those on this one", async () => {
    const [about, another] = [await make(), await make()];
    const [ana, bo] = [user("ana"), user("bo", "admin")];
    const { id } = await add(ana, about, "INC-88: seen before");
    await add(bo, about, "the quota, again");
    expect(await listComments(ana, { cluster: CLUSTER, about })).toEqual([
      {
        ...{ id, text: "INC-88: seen before", author: "ana", at: expect.any(Number) },
        ...{ withdrawn: undefined, mayWithdraw: true },
      },
      expect.objectContaining({ text: "the quota, again", author: "bo", mayWithdraw: false }),
    ]);
    expect(await textsOf(another)).toEqual([]);
  });

  test("need the role operator, and a viewer's attempt is audited", async () => {
    const about = await make();
    await expect(add(user("li", "viewer"), about, "hello")).rejects.toMatchObject({
      code: "Forbidden",
    });
    expect(await textsOf(about)).toEqual([]);
    expect(await audit()).toMatchObject([{ action: "account.comment-add", result: "refused" }]);
  });

  test("are hidden from users who may not see the cluster", async () => {
    const about = await make();
    await expect(add(user("out", "admin", [OTHER]), about, "x")).rejects.toMatchObject({
      code: "NotFound",
    });
    const elsewhere = { cluster: OTHER, about };
    await expect(listComments(user("ana"), elsewhere)).rejects.toMatchObject({ code: "NotFound" });
    await expect(add(user("ana"), { ...about, id: randomUUID() }, "x")).rejects.toMatchObject({
      code: "NotFound",
    });
  });

  test("are audited without their text, on the object that they are about", async () => {
    const about = await make();
    const { id } = await add(user("ana"), about, "a secret thought");
    await withdrawComment(user("root", "admin"), { cluster: CLUSTER, id });
    const entries = await audit();
    expect(entries).toMatchObject([
      {
        ...{ chain: CLUSTER, action: "account.comment-add", actorId: "ana", objectKind: "Node" },
        after: { comment: id, [kind]: about.id, characters: 16 },
      },
      { action: "account.comment-withdraw", actorId: "root", before: { author: "ana" } },
    ]);
    expect(
      JSON.stringify(entries.map(({ before, after, why }) => [before, after, why])),
    ).not.toMatch(/secret/);
  });
});

describe("a withdrawn comment", () => {
  test("has lost its text for good, and names who withdrew it", async () => {
    const about = await aRun();
    const ana = user("ana");
    const { id } = await add(ana, about, "wrong run");
    await withdrawComment(ana, { cluster: CLUSTER, id });
    await withdrawComment(ana, { cluster: CLUSTER, id });
    expect(await listComments(ana, { cluster: CLUSTER, about })).toMatchObject([
      { text: "", withdrawn: { by: "ana", at: expect.any(Number) }, mayWithdraw: false },
    ]);
    const rows = await ledger.db.prisma.comment.findMany();
    expect(JSON.stringify(rows)).not.toMatch(/wrong run/);
    expect((await audit()).map(({ action }) => action)).toEqual([
      "account.comment-add",
      "account.comment-withdraw",
    ]);
  });

  test("was the user's own, or an admin withdrew it", async () => {
    const about = await aRun();
    const { id } = await add(user("ana"), about, "mine");
    await expect(withdrawComment(user("bo"), { cluster: CLUSTER, id })).rejects.toMatchObject({
      ...{ code: "Forbidden", message: expect.stringContaining("Only ana, who wrote it") },
    });
    await expect(
      withdrawComment(user("root", "admin"), { cluster: OTHER, id }),
    ).rejects.toMatchObject({ code: "NotFound" });
    expect(await textsOf(about)).toEqual(["mine"]);
    await withdrawComment(user("root", "admin"), { cluster: CLUSTER, id });
    expect(await textsOf(about)).toEqual([""]);
  });

  test("is the only change that a comment allows, also to a statement", async () => {
    const { id } = await add(user("ana"), await aRun(), "as it was");
    const change = (text: string) =>
      ledger.db.pool.query(`UPDATE comments SET ${text} WHERE id = $1`, [id]);
    await expect(change("text = 'edited'")).rejects.toThrow(/only be withdrawn/);
    await expect(
      change("withdrawn_at = now(), withdrawn_by_name = 'x', text = 'edited'"),
    ).rejects.toThrow(/comments_text/);
    await change("withdrawn_at = now(), withdrawn_by_name = 'x', text = ''");
    await expect(change("text = ''")).rejects.toThrow(/only be withdrawn/);
  });
});

describe("comments are removed with their target", () => {
  async function step(name: "dropRunDays" | "dropRows" | "foldRuns", values: readonly Date[]) {
    const connection = lazyConnection(ledger.url);
    try {
      return await doStep(await connection.client(), name, values);
    } finally {
      connection.drop();
    }
  }
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

  test("with the day of a run, while those of younger runs stay", async () => {
    const old = await aRun({ startedAt: Date.now() - 32 * DAY_MS });
    const kept = await aRun({ startedAt: Date.now() - 30 * DAY_MS });
    await add(user("ana"), old, "old");
    await add(user("ana"), kept, "kept");
    expect(await step("dropRunDays", [daysAgo(30)])).toBe(1);
    const rows = await ledger.db.prisma.comment.findMany();
    expect(rows.map(({ text }) => text)).toEqual(["kept"]);
  });

  test("with an action", async () => {
    const ended = await anAction("verified", daysAgo(100));
    const open = await anAction();
    await add(user("ana"), ended, "old");
    await add(user("ana"), open, "kept");
    await step("dropRows", [daysAgo(90), daysAgo(30), daysAgo(30)]);
    const rows = await ledger.db.prisma.comment.findMany();
    expect(rows.map(({ text }) => text)).toEqual(["kept"]);
  });

  test("and stay with the run that stands for a folded one", async () => {
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000;
    const unchanged = { outcome: "unchanged", changes: [], applied: 0, steps: [] } as const;
    const first = await aRun({ startedAt: hour + 60_000, ...unchanged });
    const last = await aRun({ startedAt: hour + 120_000, ...unchanged });
    await add(user("ana"), first, "before");
    expect(await step("foldRuns", [daysAgo(0.05)])).toBe(1);
    await add(user("ana"), first, "after");
    expect(await textsOf(last)).toEqual(["before", "after"]);
    expect(await textsOf(first)).toEqual(["before", "after"]);
  });
});

describe("a text", () => {
  const input = { cluster: CLUSTER, about: { kind: "run", id: "r" } } as const;
  test.each([
    ["nothing", "", /Write the comment/],
    ["only blanks", " \n ", /Write the comment/],
    ["too much", "x".repeat(COMMENT_MOST + 1), /at most 2,000/],
    ["what cannot be stored", "nul\0", /cannot be stored/],
  ])("that is refused: %s", (_, text, sentence) => {
    const { error } = addCommentSchema.safeParse({ ...input, text });
    expect(error?.issues[0]?.message).toMatch(sentence);
  });

  test("is kept as it was typed, without surrounding blanks", async () => {
    const typed = " <b>not bold</b>\r\n  indented\rhttps://example.org/x\n";
    const { text } = addCommentSchema.parse({ ...input, text: typed });
    expect(text).toBe("<b>not bold</b>\n  indented\nhttps://example.org/x");
    const longest = "x".repeat(COMMENT_MOST);
    expect(addCommentSchema.parse({ ...input, text: `${longest}\n` }).text).toBe(longest);
  });

  test("is refused on a target with too many comments", async () => {
    const about = await anAction();
    await ledger.db.prisma.comment.createMany({
      data: Array.from({ length: COMMENTS_MOST }, () => ({
        ...{ id: randomUUID(), clusterId: CLUSTER, intentId: about.id, text: "x" },
        ...{ authorId: "a", authorName: "a", createdAt: new Date() },
      })),
    });
    await expect(add(user("ana"), about, "one more")).rejects.toMatchObject({ code: "Limit" });
  });
});
