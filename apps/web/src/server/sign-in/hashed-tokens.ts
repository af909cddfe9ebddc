import { storedSessionToken } from "@cloudwright/store/users/session-proof";
import type { DBAdapter, DBTransactionAdapter } from "better-auth";

/**
 * Wraps the library's database adapter so that sessions are stored and found by the hash of their token. The library has no option for
 * that; it still sees the token it asked with.
 */
export function withHashedTokens(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...hashing(adapter),
    transaction: (callback) =>
      adapter.transaction((inner) => callback({ ...inner, ...hashing(inner) })),
  };
}

const METHODS = [
  "create",
  "findOne",
  "findMany",
  "count",
  "update",
  "updateMany",
  "delete",
  "deleteMany",
  "consumeOne",
] as const;

type Hashed = Pick<DBTransactionAdapter, (typeof METHODS)[number]>;
type Call = (input: Input) => Promise<unknown>;

interface Input {
  readonly model: string;
  readonly where?: readonly { readonly field: string; readonly value: unknown }[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly update?: Readonly<Record<string, unknown>>;
}

function hashing(adapter: DBTransactionAdapter): Hashed {
  const calls = METHODS.map((name) => [name, hashed(adapter[name] as Call)]);
  return Object.fromEntries(calls) as Hashed;
}

function hashed(call: Call): Call {
  return async (input) => {
    if (input.model !== "session") return call(input);
    const result = await call(stored(input));
    const token = input.data?.token ?? input.where?.find(isToken)?.value;
    return token !== undefined && isRow(result) ? { ...result, token } : result;
  };
}

function stored(input: Input): Input {
  const { where, data, update } = input;
  return {
    ...input,
    ...(where && {
      where: where.map((one) => (isToken(one) ? { ...one, value: hash(one.value) } : one)),
    }),
    ...(data && { data: withHash(data) }),
    ...(update && { update: withHash(update) }),
  };
}

function withHash(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return "token" in row ? { ...row, token: hash(row.token) } : row;
}

function hash(token: unknown): string {
  return storedSessionToken(String(token));
}

function isToken({ field }: { readonly field: string }): boolean {
  return field === "token";
}

function isRow(result: unknown): result is object {
  return typeof result === "object" && result !== null && !Array.isArray(result);
}
