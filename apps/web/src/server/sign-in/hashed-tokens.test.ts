import { storedSessionToken } from "@cloudwright/store/users/session-proof";
import type { DBAdapter } from "better-auth";
import { describe, expect, it, vi } from "vitest";
import { withHashedTokens } from "./hashed-tokens.ts";

const TOKEN = "a-session-token";
const HASH = storedSessionToken(TOKEN);
const BY_TOKEN = [{ field: "token", value: TOKEN }];
const ROW = { id: "s-1", token: HASH, userId: "u-1" };

type Call = (input: object) => Promise<unknown>;

/** A database adapter that answers every call with this, and records its calls. */
function database(answer: unknown = ROW) {
  const called = vi.fn<Call>(async () => answer);
  const methods = ["create", "findOne", "findMany", "count", "update", "updateMany"];
  const all = [...methods, "delete", "deleteMany", "consumeOne"];
  const calls = Object.fromEntries(all.map((name) => [name, called]));
  const adapter = {
    ...calls,
    id: "ledger",
    transaction: (work: (inner: object) => Promise<unknown>) => work(calls),
  } as unknown as DBAdapter;
  const hashing = withHashedTokens(adapter) as unknown as Readonly<Record<string, Call>>;
  const call = (method: string, input: object) => hashing[method]?.(input);
  return { call, transaction: withHashedTokens(adapter).transaction, called };
}

describe("a session in the database", () => {
  it("is created with the hash of its token, and returned with the token", async () => {
    const { call, called } = database();
    const made = await call("create", { model: "session", data: { token: TOKEN, userId: "u-1" } });
    expect(called).toHaveBeenCalledWith({
      model: "session",
      data: { token: HASH, userId: "u-1" },
    });
    expect(made).toEqual({ ...ROW, token: TOKEN });
  });

  it.each(["findOne", "delete", "consumeOne"])("is looked for by the hash: %s", async (method) => {
    const { call, called } = database();
    const found = await call(method, { model: "session", where: BY_TOKEN });
    expect(called).toHaveBeenCalledWith({
      model: "session",
      where: [{ field: "token", value: HASH }],
    });
    expect(found).toEqual({ ...ROW, token: TOKEN });
  });

  it("is updated by the hash, also when its token changes", async () => {
    const { call, called } = database();
    await call("update", { model: "session", where: BY_TOKEN, update: { token: "next" } });
    expect(called).toHaveBeenCalledWith({
      model: "session",
      where: [{ field: "token", value: HASH }],
      update: { token: storedSessionToken("next") },
    });
  });

  it("found by another field has its hash, and no token", async () => {
    const { call } = database();
    const where = [{ field: "userId", value: "u-1" }];
    expect(await call("findOne", { model: "session", where })).toEqual(ROW);
  });

  it("is hashed within a transaction as well", async () => {
    const { transaction, called } = database();
    await transaction((inner) =>
      inner.create({ model: "session", data: { token: TOKEN, userId: "u-1" } }),
    );
    expect(JSON.stringify(called.mock.calls)).not.toContain(TOKEN);
  });

  it.each([null, 3, [ROW]])("answered by %j are passed on unchanged", async (answer) => {
    const { call } = database(answer);
    expect(await call("findMany", { model: "session", where: BY_TOKEN })).toEqual(answer);
  });
});

it("records other than sessions keep their token", async () => {
  const { call, called } = database();
  const input = { model: "verification", where: BY_TOKEN };
  await call("findOne", input);
  expect(called).toHaveBeenCalledWith(input);
});
