import { type Json, jsonSchema, parsedJson } from "@cloudwright/core/model/values/json";
import { z } from "zod";
import { OperationError } from "../operations/errors.ts";
import type { ChainBreak, ChainVerification, KnownHead } from "../views/chains.ts";
import { createChainCheck } from "./chain-check.ts";
import { type ChainedEntry, FIRST_PREV_HASH } from "./entry-text.ts";
import { EXPORT_KIND, EXPORT_VERSION } from "./export-text.ts";
import { verificationOf } from "./verification.ts";

/**
 * Verifies a JSON export line by line, as it was written, without a database. In an export of a filter, numbers may be missing, but each
 * entry must match its hash. `knownOf` returns the heads of its chain that a user keeps. Throws OperationError Invalid when the lines are
 * not an export.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  knownOf: (chain: string) => readonly KnownHead[] = () => [],
): Promise<ChainVerification> {
  const source = lines[Symbol.asyncIterator]();
  const head = parseHead((await source.next()).value);
  const known = knownOf(head.chain);
  const walked = await walk(source, head, known);
  const count = head.range?.count ?? 0;
  // A gap that was already found is not reported twice.
  const isWhole = walked.entries === count || walked.breakCount > 0;
  return verificationOf({
    ...walked,
    chain: head.chain,
    head: head.head ?? undefined,
    checkpoints: known.filter(({ seq }) => walked.found.has(seq)),
    lost: isWhole ? [] : [lostBreak(head, walked.entries)],
    last: head.range?.last ?? 0,
    verifiedAt: Date.now(),
  });
}

const time = z.iso.datetime().transform((text) => Date.parse(text));
const text = z.string();
const textOrNull = z.string().nullable();

const headSchema = z.object({
  kind: z.literal(EXPORT_KIND),
  version: z.union([z.literal(1), z.literal(EXPORT_VERSION)]),
  chain: text,
  filter: z.record(text, z.unknown()),
  range: z.object({ first: z.number(), last: z.number(), count: z.number() }).nullable(),
  head: z.object({ seq: z.number(), hash: text, at: time }).nullable(),
});
type ParsedHead = z.infer<typeof headSchema>;

const entrySchema = z.object({
  seq: z.number(),
  id: text,
  at: time,
  prevHash: text,
  hash: text,
  actorKind: text,
  actorId: text,
  actorName: text,
  action: text,
  objectKind: textOrNull,
  objectNamespace: textOrNull,
  objectName: textOrNull,
  objectUid: textOrNull,
  why: text,
  result: text,
  before: jsonSchema,
  after: jsonSchema,
  runId: textOrNull,
  intentId: textOrNull,
  clientAddress: textOrNull,
  clientAgent: textOrNull,
  // An export of version 1 has none of these.
  format: z.number().int().default(1),
  writtenBy: textOrNull.default(null),
  proof: textOrNull.default(null),
  sessionId: textOrNull.default(null),
});

function parseHead(line: unknown): ParsedHead {
  const parsed = headSchema.safeParse(parsedJson(`${typeof line === "string" ? line : ""}]}`));
  if (parsed.success) return parsed.data;
  throw new OperationError(
    "Invalid",
    () =>
      "This is not an unchanged JSON export of the audit log: give the file as it was exported.",
  );
}

async function walk(
  source: AsyncIterator<string>,
  { chain, range, head, filter }: ParsedHead,
  known: readonly KnownHead[],
) {
  const first = range?.first ?? 1;
  const last = range?.last ?? 0;
  const end = head?.seq === last ? head : { seq: last };
  const keep = new Set(known.map(({ seq }) => seq));
  const found = new Map<number, string>();
  let check: ReturnType<typeof createChainCheck> | undefined;
  let since: number | undefined;
  for (let line = await source.next(); !line.done; line = await source.next()) {
    const entry = parseEntry(line.value, chain);
    if (entry === undefined) continue;
    since ??= entry.at;
    if (keep.has(entry.seq)) found.set(entry.seq, entry.hash);
    check ??= createChainCheck({
      before: { seq: first - 1, hash: first === 1 ? FIRST_PREV_HASH : entry.prevHash },
      head: end,
      isSelection: Object.keys(filter).length > 0,
    });
    check.take(entry);
  }
  check ??= createChainCheck({ head: end });
  return { found, since, ...check.end() };
}

/** Returns undefined for the last line and for an empty one. */
function parseEntry(line: string, chain: string): ChainedEntry | undefined {
  const json = line.trim().replace(/,$/, "");
  if (json === "" || json === "]}") return undefined;
  const parsed = entrySchema.safeParse(parsedJson(json));
  if (!parsed.success) {
    throw new OperationError(
      "Invalid",
      () =>
        `A line of the export is not an entry (${json.slice(0, 40)}…): give the file as it was exported.`,
    );
  }
  const { before, after, ...fields } = parsed.data;
  return { ...fields, chain, before: jsonbText(before), after: jsonbText(after) };
}

function lostBreak({ range }: ParsedHead, entries: number): ChainBreak {
  const { first = 0, last = 0, count = 0 } = range ?? {};
  const sentence = `The file says that it has ${count} entries but has ${entries}: it was shortened or extended.`;
  return { kind: entries < count ? "removed" : "added", from: first, to: last, sentence };
}

/**
 * Returns PostgreSQL's text of a jsonb value: members ordered by the length of their names in UTF-8, then by their bytes; a space after
 * each comma and colon; numbers without exponents. Takes what jsonb can hold: no NUL, no lone surrogates.
 */
export function jsonbText(value: Json | undefined): string {
  if (value === undefined || value === null) return "null";
  if (typeof value === "number") return numberText(value);
  if (typeof value !== "object") return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(jsonbText).join(", ")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => ({ name: Buffer.from(name), member }))
    .toSorted((left, right) => byLengthAndBytes(left.name, right.name))
    .map(({ name, member }) => `${JSON.stringify(name.toString())}: ${jsonbText(member)}`);
  return `{${members.join(", ")}}`;
}

function byLengthAndBytes(left: Buffer, right: Buffer): number {
  return left.length - right.length || left.compare(right);
}

/** JavaScript writes 1e21 and 1e-7 with exponents; PostgreSQL's numeric never does. */
function numberText(value: number): string {
  const text = JSON.stringify(value);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign = "", first = "", rest = "", exponentText = "0"] = parts;
  const exponent = Number(exponentText);
  if (exponent > 0) return `${sign}${first}${rest.padEnd(exponent, "0")}`;
  return `${sign}0.${"0".repeat(-exponent - 1)}${first}${rest}`;
}

function isJsonArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
