import type { Dashboard } from "../../harness/dashboard.ts";
import { type RawReply, type RawRequest, sendRaw } from "../../harness/relays/raw-request.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";
import { EXPORTS, FORMS, PATHS } from "./malformed-paths.ts";
import { HOSTILE, type Json, PROCEDURES, requestOf, requestsOf } from "./malformed-requests.ts";

/** Messages of a driver, an engine or the runtime, which no answer may contain. */
const ENGINE =
  /prisma|postgres|pg_|invalid input syntax|out of range for type|byte sequence|TypeError|RangeError|SyntaxError|node_modules|\bat \S+ \(|\.js:\d+|Unexpected token|is not valid JSON|Cannot read/i;

test("every procedure refuses malformed input with a sentence, and never fails itself", async ({
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

/** The limit of one user; further changes are refused unread. */
const CHANGES_A_MINUTE = 240;

/** Returns the cookie of an admin who may make that many more changes: another user if the last one has too few left. */
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

/** Works on a few items at a time, so that the answers' latencies do not add up. */
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

test("every path and handler answers malformed requests with a status below 500", async ({
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

/** Returns copies of the cursor with one hostile value in one place. */
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

/** Returns each problem with the input that caused it. A batch has an answer to each of its calls. */
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
