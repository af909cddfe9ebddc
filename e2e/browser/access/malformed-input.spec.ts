import { readFileSync } from "node:fs";
import type { Dashboard } from "../../harness/dashboard.ts";
import { type RawReply, type RawRequest, sendRaw } from "../../harness/relays/raw-request.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json };

interface Procedure {
  readonly type: "query" | "mutation" | "subscription";
  readonly input?: Json;
}

const PROCEDURES: Readonly<Record<string, Procedure>> = JSON.parse(
  readFileSync(new URL("procedures.json", import.meta.url), "utf8"),
);

const STANDS_FOR: Readonly<Record<string, string>> = {
  $cluster: CLUSTER,
  $run: "01900000-0000-7000-8000-000000000003",
  $intent: "01900000-0000-7000-8000-000000000004",
  $user: "somebody",
  $session: "some-session",
  $token: "01900000-0000-7000-8000-000000000005",
};

/** What no page of ours sends in any place. */
const HOSTILE: readonly Json[] = [
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

/** The same for one member among many, where each kind of mistake is enough. */
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

/** All procedures have their input decoded by the same code, before any sees it: one of each type stands for them. */
const DECODED: ReadonlySet<string> = new Set(["nodes.list", "intents.request", "live.changes"]);

/** What a driver, an engine or the runtime says of itself. */
const ENGINE =
  /prisma|postgres|pg_|invalid input syntax|out of range for type|byte sequence|TypeError|RangeError|SyntaxError|node_modules|\bat \S+ \(|\.js:\d+|Unexpected token|is not valid JSON|Cannot read/i;

test("every procedure answers malformed input with a sentence, never with a failure of its own", async ({
  ledger,
  cookieOf,
}) => {
  test.setTimeout(600_000);
  const { origin } = ledger.dashboard;
  const changing = adminsOf(ledger.dashboard);
  const failed: string[] = [];
  for (const [path, procedure] of Object.entries(PROCEDURES)) {
    const requests = requestsOf(path, procedure);
    const calls = requests.reduce((count, { texts }) => count + texts.length, 0);
    const isChange = procedure.type === "mutation";
    const cookie = await (isChange ? changing(calls) : cookieOf("admin"));
    const tried = await eachOf(requests, isChange ? 2 : 6, async ({ texts, ...request }) => {
      const headers = { cookie, origin, ...request.headers };
      return problemsOf(await ask(origin, { ...request, headers }), texts);
    });
    failed.push(...tried.flat().map((problem) => `${path}: ${problem}`));
  }
  expect(failed).toEqual([]);
});

/** Of one user; what goes beyond is refused unread. */
const CHANGES_A_MINUTE = 240;

/** The cookie of an admin who may make so many more changes: another user when those of the last one are used up. */
function adminsOf(dashboard: Dashboard): (changes: number) => Promise<string> {
  let cookie = "";
  let left = 0;
  let users = 0;
  return async (changes) => {
    if (changes > left) {
      users += 1;
      cookie = await dashboard.signIn("admin", `admin-${users}@example.test`);
      left = CHANGES_A_MINUTE;
    }
    left -= changes;
    return cookie;
  };
}

/** A few at a time, so that the answers' latencies do not add up. */
async function eachOf<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      results.push(await work(item));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const BROKEN = ["", "{", "nul", "\0", "[1,", '{"json":', '"', "{}", "[]", "0", '{"json":1e999}'];

interface TriedRequest extends RawRequest {
  /** The inputs of its calls. */
  readonly texts: readonly string[];
}

/** Inputs that are read one by one go together, as the pages send them; what is no input, or asks for a stream, goes alone. */
function requestsOf(path: string, procedure: Procedure): readonly TriedRequest[] {
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

/** More calls than that, or longer addresses, are refused unread. */
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

/** What a page can be asked for, with everything in it that addresses must not hold. */
const PATHS = [
  "/%",
  "/%00",
  "/%E0%A4%A",
  "/..%2f..%2fetc",
  "/api/trpc/",
  "/api/trpc/%",
  "/api/trpc/%E0%A4%A",
  "/api/trpc/__proto__",
  "/api/trpc/nodes.constructor",
  "/api/trpc/toString?batch=1",
  "/api/trpc/nodes.list?batch=1&input=%7B%7D",
  "/api/trpc/nodes.list?batch=x&input=[",
  "/api/trpc/nodes.list,nodes.list?batch=1&input=null",
  "/api/trpc/live.changes,live.changes?batch=1",
  `/c/${CLUSTER}/nodes/%E0%A4%A`,
  `/c/${CLUSTER}/nodes/%00`,
  `/c/${CLUSTER}/nodes/%ED%A0%80`,
  `/c/${CLUSTER}/load-balancers/%00/%00`,
  `/c/${CLUSTER}/load-balancers/%25E0/%25`,
  `/c/${CLUSTER}/nodes/%25`,
  `/c/${CLUSTER}/nodes/%2525E0`,
  `/c/${CLUSTER}/requests/%25`,
  `/c/${CLUSTER}/requests/%00`,
  `/c/${CLUSTER}/requests/${"9".repeat(400)}`,
  "/c/%00",
  "/c/%25/nodes",
  "/c/__proto__/nodes",
  "/settings/constructor",
  "/settings/%00",
  "/settings/%25",
  "/sign-in?token=%00",
  "/sign-in?token=%ED%A0%80",
  "/sign-in?token=a&token=b&next=%00&next=/",
  "/sign-in?next=/..//evil",
  "/sign-in?refused=constructor",
  "/sign-in?refused=__proto__",
  "/_next/image?url=%2F%00&w=1&q=1",
  "/_next/static/%00",
  "/_next/data/x/y.json",
  "/api/v1",
  "/api/v1/%",
  "/api/v1/%E0%A4%A",
  "/api/v1/clusters?%00=%00",
  "/api/v1/clusters/%00/nodes?limit=%00",
  "/api/v1/clusters/%25/nodes/%ED%A0%80",
  "/api/v1/__proto__",
  "/?_rsc=%00",
  "/healthz/%00",
];

const EXPORTS: readonly string[] = [
  "",
  "list=nodes&format=csv",
  `list=runs&cluster=${CLUSTER}`,
  ...HOSTILE.filter((value) => typeof value === "string" || typeof value === "number").flatMap(
    (value) =>
      [
        "list",
        "cluster",
        "format",
        "filter",
        "sort",
        ...["from", "to", "actorId", "action", "seq", "runId", "intentId"].map(
          (member) => `filter.${member}`,
        ),
      ].map((name) => {
        const query = new URLSearchParams({ list: "audit", cluster: CLUSTER, format: "csv" });
        const [parameter = "", member] = name.split(".");
        query.set(
          parameter,
          member === undefined ? String(value) : JSON.stringify({ [member]: value }),
        );
        return query.toString();
      }),
  ),
  `cluster=${CLUSTER}&format=csv&from=%00`,
  `cluster=${CLUSTER}&format=csv&text=%ED%A0%80`,
  `cluster=${CLUSTER}&format=csv&%00=%00`,
];

const FORMS: readonly Pick<RawRequest, "headers" | "body">[] = [
  { headers: { "content-type": "multipart/form-data" }, body: "x" },
  { headers: { "content-type": "multipart/form-data; boundary=a" }, body: "--a\r\n\r\n" },
  { headers: { "content-type": "multipart/form-data; boundary=" }, body: "--\r\n" },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=%&password=%00",
  },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=a%00&password=%ED%A0%80&next=%00",
  },
  {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "token=%00&next=//evil",
  },
  { headers: { "content-type": "application/json" }, body: "{" },
  { headers: { "content-type": "text/plain" }, body: "\0" },
  { headers: { "content-type": "\u00ff" }, body: "x" },
  { headers: {}, body: "" },
  { headers: { "next-action": "x" }, body: "[]" },
  {
    headers: { "next-action": "0".repeat(42), "content-type": "text/plain;charset=UTF-8" },
    body: "[",
  },
  { headers: { rsc: "1", "next-router-state-tree": "%" }, body: "" },
];

test("every path and handler answers what it cannot read with less than 500", async ({
  ledger,
  cookieOf,
}) => {
  test.setTimeout(180_000);
  const { origin } = ledger.dashboard;
  const cookie = await cookieOf("admin");
  const posts = [
    "/",
    "/sign-in",
    "/sign-in/password",
    "/sign-in/redeem",
    "/healthz",
    "/api/export",
    "/api/trpc/intents.retry",
    `/c/${CLUSTER}/nodes`,
  ];
  const requests: readonly RawRequest[] = [
    ...PATHS.flatMap((path) => [{ path }, { path, method: "HEAD" }, { path, method: "POST" }]),
    ...PATHS.map((path) => ({ path, headers: { rsc: "1", "next-router-prefetch": "x" } })),
    ...EXPORTS.map((query) => ({ path: `/api/export?${query}` })),
    ...posts.flatMap((path) => FORMS.map((form) => ({ path, method: "POST", ...form }))),
    ...["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].flatMap((method) =>
      [...posts, "/api/trpc/nodes.list", "/icon.svg"].map((path) => ({ path, method })),
    ),
    ...["%", "1e999", "-1", "\u00ff"].map((id) => ({
      path: `/api/trpc/live.changes?input=${encodeURIComponent('{"json":{}}')}&lastEventId=${id}`,
      headers: { accept: "text/event-stream", "last-event-id": id },
    })),
    { path: "/", headers: { "x-forwarded-host": "\u00ff", "x-forwarded-proto": "," } },
    {
      path: "/",
      headers: {
        cookie: "better-auth=%; cloudwright.session_token=%E0%A4%A; cloudwright.cluster=%",
      },
    },
    { path: "/settings/users", headers: { cookie: `${cookie}; cloudwright.cluster=%E0%A4%A` } },
    { path: "/c/a/nodes", headers: { host: "[", origin: "\u00ff" } },
  ];
  const failed: string[] = [];
  for (const request of requests) {
    const headers = { cookie, origin, ...request.headers };
    const problem = problemOf(await ask(origin, { ...request, headers }));
    if (problem !== undefined)
      failed.push(
        `${problem}: ${request.method ?? "GET"} ${request.path} ${JSON.stringify(request.headers ?? {})} ${request.body ?? ""}`,
      );
  }
  expect(failed).toEqual([]);
});

test("a forged cursor is refused with a sentence", async ({ ledger, cookieOf }) => {
  const { dashboard } = ledger;
  const cookie = await cookieOf("admin");
  const failed: string[] = [];
  for (const { path, by } of SORTED) {
    const list = { cluster: CLUSTER, filter: {}, sort: { by, descending: false }, limit: 1 };
    const page = await dashboard.query<{ nextCursor: string }>(cookie, path, list);
    for (const cursor of forgedFrom(page.nextCursor)) {
      const text = JSON.stringify({ json: { ...list, cursor } });
      const request = requestOf(path, { type: "query" }, text);
      const problem = problemOf(await ask(dashboard.origin, { ...request, headers: { cookie } }));
      if (problem !== undefined) failed.push(`${problem}: ${path} by ${by}: ${cursor}`);
    }
  }
  expect(failed).toEqual([]);
});

const SORTED = ["nodes.list", "routes.list"].flatMap((path) =>
  ["name", "since", "state"].map((by) => ({ path, by })),
);

/** With one hostile value in each of its places. */
function forgedFrom(cursor: string): readonly string[] {
  const made: { readonly values: readonly Json[] } = JSON.parse(
    Buffer.from(cursor, "base64url").toString(),
  );
  return [...made.values.keys()].flatMap((at) =>
    HOSTILE.map((value) => {
      const forged = { ...made, values: made.values.toSpliced(at, 1, value) };
      return Buffer.from(JSON.stringify(forged)).toString("base64url");
    }),
  );
}

function ask(origin: string, request: RawRequest): Promise<RawReply> {
  return sendRaw(origin, { ...request, isStream: request.path.startsWith(STREAM) });
}

const STREAM = "/api/trpc/live.changes?";

function problemOf({ status, text }: Pick<RawReply, "status" | "text">): string | undefined {
  if (status === 0) return "no answer";
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (UNREAD.test(text)) return `${status} without having been read`;
  const leak = status >= 400 ? ENGINE.exec(text) : null;
  return leak === null ? undefined : `${status} says "${leak[0]}"`;
}

const UNREAD = /more than \d+ changes within a minute|more than \d+ calls/;

interface CallAnswer {
  readonly error?: { readonly json: { readonly data: { readonly httpStatus: number } } };
}

/** Each problem with the input that it came of; a request of several calls has an answer to each. */
function problemsOf(reply: RawReply, texts: readonly string[]): readonly string[] {
  const answers = texts.length === 1 ? [reply] : answersOf(reply);
  if (answers.length !== texts.length) {
    const problem = problemOf(reply) ?? `${reply.status} ${reply.text.slice(0, 200)}`;
    return [`${problem}: ${texts.join(" ").slice(0, 2_000)}`];
  }
  return answers.flatMap((answer, index) => {
    const problem = problemOf(answer);
    return problem === undefined ? [] : [`${problem}: ${texts[index]?.slice(0, 300)}`];
  });
}

function answersOf({ status, text }: RawReply): readonly Pick<RawReply, "status" | "text">[] {
  if (status === 0 || status >= 500) return [];
  const answers: unknown = JSON.parse(text);
  if (!Array.isArray(answers)) return [];
  return answers.map((answer: CallAnswer) => ({
    status: answer.error?.json.data.httpStatus ?? 200,
    text: JSON.stringify(answer),
  }));
}

const JSON_POST = { method: "POST", headers: { "content-type": "application/json" } } as const;

function requestOf(path: string, { type }: Procedure, text: string): RawRequest {
  const address = `/api/trpc/${path}`;
  if (type !== "mutation") return { path: `${address}?input=${encodeURIComponent(text)}` };
  return { path: address, ...JSON_POST, body: text };
}

/** The input as it should be with one hostile value in each place, and without each member. */
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

function fill(value: Json): Json {
  if (typeof value === "string") return /^\$/.test(value) ? (STANDS_FOR[value] ?? "some") : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fill);
  return Object.fromEntries(
    Object.entries(value)
      // A cursor of another list is refused before anything else is looked at.
      .filter(([name]) => name !== "cursor")
      .map(([name, member]) => [name, fill(member)]),
  );
}
