import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { rowsOf } from "../../harness/database.ts";
import { type RawReply, type RawRequest, sendRaw } from "../../harness/relays/raw-request.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const MIB = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const CHANGE = "/api/trpc/intents.retry";

// Requests can claim their own client addresses, as if they came through a proxy.
test.use({ trustedProxies: "127.0.0.1" });

/** Returns the path of a batch of calls of the same procedure. */
function batchOf(count: number, procedure = "clusters.list"): string {
  const paths = Array.from({ length: count }, () => procedure).join(",");
  return `/api/trpc/${paths}?batch=1&input=${encodeURIComponent("{}")}`;
}

test.describe("an excessive request", () => {
  test("is refused by its length before its body is sent", async ({ ledger, cookieOf }) => {
    const { origin } = ledger.dashboard;
    const cookie = await cookieOf("admin");
    const answers = await Promise.all(
      [MIB + 1, 64 * MIB, 2 ** 40].map((length) =>
        sendHead(origin, [
          `POST ${CHANGE} HTTP/1.1`,
          `Content-Length: ${length}`,
          `Cookie: ${cookie}`,
        ]),
      ),
    );
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 413 .*longer than 1024 KiB/s);
    const signedOut = await sendHead(origin, [
      "POST /sign-in/password HTTP/1.1",
      `Content-Length: ${65 * 1024}`,
    ]);
    expect(signedOut).toMatch(/^HTTP\/1\.1 413 .*longer than 64 KiB/s);
  });

  test("is refused while it arrives if it does not declare its length", async ({
    ledger,
    cookieOf,
  }) => {
    const { origin } = ledger.dashboard;
    const headers = {
      ...JSON_TYPE,
      origin,
      cookie: await cookieOf("admin"),
      "transfer-encoding": "chunked",
    };
    const long = { path: CHANGE, method: "POST", headers, body: Buffer.alloc(MIB + 1, 0x20) };
    expect((await sendRaw(origin, long)).status).toBe(413);
    const short = { ...long, body: JSON.stringify({ json: { cluster: CLUSTER } }) };
    expect((await sendRaw(origin, short)).status, "one that is short is read").toBe(400);
  });

  test("is refused if it nests too deeply or declares too many types", async ({
    ledger,
    cookieOf,
  }) => {
    const { origin } = ledger.dashboard;
    const headers = { ...JSON_TYPE, origin, cookie: await cookieOf("admin") };
    const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const values = Object.fromEntries(
      Array.from({ length: 2_001 }, (_, at) => [at, ["undefined"]]),
    );
    const bodies = [
      `{"json":${deep(500_000)}}`,
      `{"json":${deep(32)}}`,
      JSON.stringify({ json: {}, meta: { values } }),
    ];
    for (const body of bodies) {
      const answer = await sendRaw(origin, { path: CHANGE, method: "POST", headers, body });
      expect(answer.status).toBe(400);
    }
    const input = encodeURIComponent(`{"json":${deep(40)}}`);
    const read = { path: `/api/trpc/nodes.list?input=${input}`, headers };
    expect((await sendRaw(origin, read)).text).toContain("more than 32 deep");
  });

  test("is refused if it has more than 20 calls", async ({ ledger, cookieOf }) => {
    const { origin } = ledger.dashboard;
    const headers = { cookie: await cookieOf("viewer") };
    expect((await sendRaw(origin, { path: batchOf(20), headers })).status).toBe(200);
    const refused = await sendRaw(origin, { path: batchOf(21), headers });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("A batch can have at most 20 calls, not 21");
  });
});

test("a batch without a session is refused once, with one audit entry", async ({ ledger }) => {
  const { origin } = ledger.dashboard;
  const refusals = () =>
    rowsOf(ledger.database.url, "SELECT FROM audit_entries WHERE action = 'account.refused'");
  const before = (await refusals()).length;
  const batch = { path: batchOf(20, "intents.retry"), method: "POST", body: "{}" };
  const answer = await sendRaw(origin, { ...batch, headers: { ...JSON_TYPE, origin } });
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { json: { data: { httpStatus: 401 } } } });
  expect((await refusals()).length).toBe(before + 1);
});

test("a session has at most 20 open streams, and opens another when one has ended", async ({
  ledger,
}) => {
  const { origin } = ledger.dashboard;
  const cookie = await ledger.dashboard.signIn("viewer", "many-streams@example.test");
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(origin, cookie)));
  for (const { first } of streams) expect(first).not.toContain("20 pages");
  const refused = await openStream(origin, cookie);
  expect(refused.first).toContain("20 pages of this session");
  refused.end();
  streams[0]?.end();
  await expect(async () => {
    const next = await openStream(origin, cookie);
    next.end();
    expect(next.first).not.toContain("20 pages");
  }).toPass();
  for (const { end } of streams) end();
});

test("every answer has its headers: pages, errors, redirects, files and streams", async ({
  ledger,
  cookieOf,
}) => {
  const { origin } = ledger.dashboard;
  const cookie = await cookieOf("viewer");
  const page = await sendRaw(origin, { path: "/sign-in" });
  const script = /"(\/_next\/static\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
  const requests: readonly RawRequest[] = [
    { path: "/sign-in" },
    { path: "/" },
    { path: "/nothing/like/it", headers: { cookie } },
    { path: script },
    { path: "/_next/static/nothing.js" },
    { path: "/icon.svg" },
    { path: "/healthz" },
    { path: "/api/nothing" },
    { path: "/api/export" },
    { path: "/api/trpc/clusters.list" },
    { path: "/api/trpc/clusters.list", headers: { cookie } },
    { path: "/api/trpc/%E0%A4%A" },
    { path: "/sign-out", method: "POST" },
    { path: "/sign-in/password", method: "POST", headers: { origin } },
    { path: "/sign-in/password", method: "POST", body: "x".repeat(70_000) },
    { path: `/${"x".repeat(40_000)}` },
    { path: streamPath(), headers: { cookie }, isStream: true },
  ];
  for (const request of requests) {
    const reply = await sendRaw(origin, request);
    expect(missingOf(reply), `${reply.status} ${request.path.slice(0, 80)}`).toEqual([]);
  }
  const file = await sendRaw(origin, { path: script });
  expect(file.headers["cache-control"], "a file that never changes is kept").toContain("immutable");
});

const NEEDED: Readonly<Record<string, RegExp>> = {
  "content-security-policy": /frame-ancestors 'none'/,
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^DENY$/,
  "referrer-policy": /^same-origin$/,
  "cache-control": /no-store|no-cache|immutable|max-age/,
};

function missingOf({ headers }: RawReply): readonly string[] {
  return Object.entries(NEEDED)
    .filter(([name, pattern]) => !pattern.test(String(headers[name] ?? "")))
    .map(([name]) => `${name}: ${headers[name]}`);
}

/** Each test measures how long `/healthz` takes under one kind of load; the numbers are printed in the list of tests. */
test.describe("/healthz answers during requests with", () => {
  const deep = `{"json":${"[".repeat(400_000)}`;
  const wide = JSON.stringify({ json: { list: Array.from({ length: 120_000 }, () => 1) } });
  const named = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`m${at}`, ["Date"]]));
  const change = (body: string) => () => ({
    path: CHANGE,
    method: "POST",
    headers: JSON_TYPE,
    body,
  });
  const PROBES: Readonly<Record<string, Probe>> = {
    "bodies that are too long": { next: change("x".repeat(2 * MIB)) },
    "bodies that nest too deep": { next: change(deep) },
    "bodies of a mebibyte": { next: change(wide) },
    "types of many members": {
      next: change(JSON.stringify({ json: {}, meta: { values: named } })),
    },
    "batches of 400 calls": { next: () => ({ path: batchOf(400), headers: JSON_TYPE }) },
    "batches of 20 lists": { next: () => ({ path: batchOf(20), headers: JSON_TYPE }) },
    "wrong passwords": { next: wrongPassword, leadsTo: "/sign-in?refused=password", times: 5 },
  };
  const CASES = Object.entries(PROBES).flatMap(([name, probe]) =>
    (["signed in", "signed out"] as const).map((who) => ({ name: `${name}, ${who}`, probe, who })),
  );
  for (const { name, probe, who } of CASES) {
    const { next, leadsTo, times = 15 } = probe;
    test(name, async ({ ledger, cookieOf }) => {
      const { origin } = ledger.dashboard;
      const cookie = who === "signed in" ? { cookie: await cookieOf("operator") } : {};
      const idle = await latencies(origin, async (again) => again(20));
      const busy = await latencies(origin, async (again) => {
        const send = async () => {
          for (let sent = 0; sent < times; sent += 1) {
            const request = next();
            const headers = { ...request.headers, ...cookie, origin };
            const reply = await sendRaw(origin, { ...request, headers });
            expect(reply.headers.location).toBe(leadsTo);
          }
        };
        await Promise.all([send(), send(), send(), send(), again(20)]);
      });
      process.stdout.write(
        `/healthz, 95th percentile: ${p95(busy)} ms beside ${name}; ${p95(idle)} ms idle\n`,
      );
      // Two busy cores may delay anything for a while; the test proves only that nothing delays it for long.
      expect(p95(busy)).toBeLessThan(1_000 + 10 * p95(idle));
    });
  }
});

interface Probe {
  readonly next: () => RawRequest;
  /** Where each answer redirects to; undefined if it does not. */
  readonly leadsTo?: string;
  /** The number of requests from each of the four senders; lower if a request takes the dashboard long. */
  readonly times?: number;
}

/**
 * Each has its own address and account, so that the dashboard checks it immediately. From one address, each would wait up to
 * ten seconds longer and cost the dashboard nothing meanwhile.
 */
function wrongPassword(): RawRequest {
  const [left, right] = [randomBytes(2).toString("hex"), randomBytes(2).toString("hex")];
  return {
    path: "/sign-in/password",
    method: "POST",
    headers: { ...FORM_TYPE, "x-forwarded-for": `2001:db8::${left}:${right}` },
    body: `email=${left}${right}%40example.test&password=c`,
  };
}

/** Returns how long each answer of `/healthz` took, in milliseconds. */
async function latencies(
  origin: string,
  during: (again: (times: number) => Promise<void>) => Promise<unknown>,
): Promise<readonly number[]> {
  const all: number[] = [];
  await during(async (times) => {
    for (let time = 0; time < times; time += 1) {
      const from = performance.now();
      const { status } = await sendRaw(origin, { path: "/healthz" });
      expect(status).toBe(200);
      all.push(performance.now() - from);
    }
  });
  return all;
}

function p95(all: readonly number[]): number {
  const sorted = all.toSorted((left, right) => left - right);
  return Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0);
}

function streamPath(): string {
  const input = encodeURIComponent(JSON.stringify({ json: { cluster: CLUSTER } }));
  return `/api/trpc/live.changes?input=${input}`;
}

/** Opens a stream; returns it with its first message after the greeting. */
async function openStream(origin: string, cookie: string) {
  const abort = new AbortController();
  const answer = await fetch(origin + streamPath(), { headers: { cookie }, signal: abort.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let first = "";
  while (!/"topics"|error/.test(first)) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) break;
    first += piece.value;
  }
  return { first, end: () => abort.abort() };
}

/** Sends only the head of a request, without its body; returns the answer. */
function sendHead(origin: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
    socket.write([...lines, `Host: ${hostname}:${port}`, `Origin: ${origin}`, "", ""].join("\r\n"));
  });
}
