import { readFileSync } from "node:fs";
import type { RawRequest } from "../../harness/relays/raw-request.ts";
import { CLUSTER } from "../fixtures/ledger.ts";

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json };

export interface Procedure {
  readonly type: "query" | "mutation" | "subscription";
  readonly input?: Json;
}

/** Every procedure, with an input that it accepts. */
export const PROCEDURES: Readonly<Record<string, Procedure>> = JSON.parse(
  readFileSync(new URL("procedures.json", import.meta.url), "utf8"),
);

/** Values that our pages never send. */
export const HOSTILE: readonly Json[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  -1e308,
  9_007_199_254_740_992,
  8_640_000_000_000_001,
  -8_640_000_000_000_000,
  2_147_483_648,
  "",
  "\0",
  "a\0b",
  "\ud800",
  "9".repeat(400),
  "..",
  "2024-13-45T99:99:99Z",
  "00000000-0000-0000-0000-00000000000g",
  "'; SELECT 1 --",
  "%_\\",
  [],
  {},
  [[[[]]]],
];

/** The same for one of many members, for which one mistake of each kind is enough. */
const HOSTILE_MEMBER: readonly Json[] = [
  null,
  -1,
  1e308,
  8_640_000_000_000_001,
  "\0",
  "\ud800",
  "",
  [],
  {},
];

/** Kinds of superjson's `meta`, right and wrong. */
const METAS: readonly Json[] = [
  null,
  1,
  [],
  { values: null },
  { values: ["undefined"] },
  { values: ["Date"] },
  { values: ["bigint"] },
  { values: ["regexp"] },
  { values: ["map"] },
  { values: ["set"] },
  { values: ["URL"] },
  { values: ["Error"] },
  { values: [["class", "Nothing"]] },
  { values: [["custom", "nothing"]] },
  { values: [["symbol", "nothing"]] },
  { values: { cluster: ["Date"] } },
  { values: { cluster: ["bigint"] } },
  { values: { "a.b.c": ["Date"] } },
  { values: { "__proto__.x": ["Date"] } },
  { values: { "constructor.prototype": ["map"] } },
  { referentialEqualities: { cluster: ["filter"] } },
  { referentialEqualities: [["cluster"]] },
  { referentialEqualities: { "__proto__.x": ["cluster"] } },
];

/** The same code decodes the inputs of all procedures, so one procedure of each type is enough. */
const DECODED: ReadonlySet<string> = new Set(["nodes.list", "intents.request", "live.changes"]);

const BROKEN = ["", "{", "nul", "\0", "[1,", '{"json":', '"', "{}", "[]", "0", '{"json":1e999}'];

export interface TriedRequest extends RawRequest {
  /** The inputs of its calls. */
  readonly texts: readonly string[];
}

/** Batches inputs, as the pages do; broken JSON and inputs of subscriptions are sent alone. */
export function requestsOf(path: string, procedure: Procedure): readonly TriedRequest[] {
  const { type, input } = procedure;
  const metas = DECODED.has(path) ? METAS : [];
  const inputs = [...inputsOf(input), ...metas.map((meta) => ({ json: {}, meta }))];
  const texts = inputs.map((each) => JSON.stringify(each));
  const alone = type === "subscription" ? [...texts, ...BROKEN] : BROKEN;
  const batches = type === "subscription" ? [] : batchesOf(texts);
  return [
    ...batches.map((texts) => ({ ...batchOf(path, procedure, texts), texts })),
    ...alone.map((text) => ({ ...requestOf(path, procedure, text), texts: [text] })),
  ];
}

/** The dashboard refuses more calls, or longer addresses, unread. */
const CALLS = 20;
const ADDRESS = 12_000;

function batchesOf(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let length = 0;
  for (const text of texts) {
    const added = encodeURIComponent(text).length;
    const last = batches.at(-1);
    if (last === undefined || last.length === CALLS || length + added > ADDRESS) {
      batches.push([text]);
      length = added;
    } else {
      last.push(text);
      length += added;
    }
  }
  return batches;
}

function batchOf(path: string, { type }: Procedure, texts: readonly string[]): RawRequest {
  const address = `/api/trpc/${texts.map(() => path).join(",")}?batch=1`;
  const input = `{${texts.map((text, index) => `"${index}":${text}`).join(",")}}`;
  if (type !== "mutation") return { path: `${address}&input=${encodeURIComponent(input)}` };
  return { path: address, ...JSON_POST, body: input };
}

const JSON_POST = { method: "POST", headers: { "content-type": "application/json" } } as const;

export function requestOf(path: string, { type }: Procedure, text: string): RawRequest {
  const address = `/api/trpc/${path}`;
  if (type !== "mutation") return { path: `${address}?input=${encodeURIComponent(text)}` };
  return { path: address, ...JSON_POST, body: text };
}

/** Returns hostile inputs, and variants of the valid input with one hostile value in one place or one member missing. */
function inputsOf(input: Json | undefined): readonly Json[] {
  if (input === undefined) return HOSTILE.map((value) => ({ json: value }));
  const plain = fill(input);
  const whole = HOSTILE.map((json) => ({ json }));
  return [...whole, ...variants(plain).map((json) => ({ json }))];
}

function variants(value: Json): readonly Json[] {
  if (typeof value !== "object" || value === null) return HOSTILE_MEMBER;
  if (Array.isArray(value)) return [...HOSTILE_MEMBER, ...HOSTILE_MEMBER.map((each) => [each])];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...others } = value as Record<string, Json>;
    return [others, ...variants(member).map((each) => ({ ...value, [name]: each }))];
  });
}

const STANDS_FOR: Readonly<Record<string, string>> = {
  $cluster: CLUSTER,
  $run: "01900000-0000-7000-8000-000000000003",
  $intent: "01900000-0000-7000-8000-000000000004",
  $user: "somebody",
  $session: "some-session",
  $token: "01900000-0000-7000-8000-000000000005",
};

function fill(value: Json): Json {
  if (typeof value === "string") return /^\$/.test(value) ? (STANDS_FOR[value] ?? "some") : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fill);
  return Object.fromEntries(
    Object.entries(value)
      // A cursor of another list is refused before anything else is checked.
      .filter(([name]) => name !== "cursor")
      .map(([name, member]) => [name, fill(member)]),
  );
}
