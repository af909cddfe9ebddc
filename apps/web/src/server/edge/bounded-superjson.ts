import { TRPCError } from "@trpc/server";
import superjson from "superjson";
import { LIMITS } from "./limits.ts";

/**
 * superjson for inputs: what they say of their types may name members that are undefined, and no more. Our pages send
 * nothing else, and each other kind builds an object or follows a path of the sender's choice.
 */
export const boundedSuperjson = {
  input: {
    serialize: (value: unknown) => superjson.serialize(value),
    deserialize: (sent: unknown): unknown => {
      if (!isSerialized(sent)) throw notValid();
      if (sent.meta === undefined) return sent.json;
      if (!isBounded(sent.meta)) throw notValid();
      try {
        return superjson.deserialize({ json: sent.json, meta: sent.meta } as Sent);
      } catch (cause) {
        throw notValid(cause);
      }
    },
  },
  output: superjson,
};

type Sent = Parameters<typeof superjson.deserialize>[0];

function isSerialized(sent: unknown): sent is { readonly json?: unknown; readonly meta?: unknown } {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent);
}

/** `{ values: ["undefined"] }` for the whole, or a tree of members with that at its ends; the version beside it. */
function isBounded(meta: unknown): boolean {
  if (!isSerialized(meta)) return false;
  const { values, v, ...others } = meta as Record<string, unknown>;
  const known = Object.keys(others).length === 0 && (v === undefined || v === 1);
  return known && countEntries(values, LIMITS.depth) <= LIMITS.metaEntries;
}

/** Infinity for what is no such tree. */
function countEntries(values: unknown, depth: number): number {
  if (values === undefined) return 0;
  if (depth === 0 || typeof values !== "object" || values === null) return Number.POSITIVE_INFINITY;
  if (Array.isArray(values)) return countOfList(values, depth);
  return sum(Object.values(values).map((each) => countEntries(each, depth - 1)));
}

/** `["undefined"]`, or `["undefined", { further members }]`. */
function countOfList([kind, members, ...more]: readonly unknown[], depth: number): number {
  if (kind !== "undefined" || more.length > 0) return Number.POSITIVE_INFINITY;
  return 1 + countEntries(members, depth - 1);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function notValid(cause?: unknown): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", message: "The request is not valid.", cause });
}
