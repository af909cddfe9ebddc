import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { budgetMinute, controllerUse } from "../../../packages/store/testing/budget-records.ts";
import { fleet } from "../../../packages/store/testing/fleet.ts";
import {
  orphanState,
  serviceState,
} from "../../../packages/store/testing/load-balancer-records.ts";
import { CLUSTER, heartbeat, runEnd, runStart } from "../../../packages/store/testing/records.ts";
import {
  foreignRoute,
  nodeRoutesState,
  staleRouteState,
  tableState,
} from "../../../packages/store/testing/route-records.ts";
import { volumeState } from "../../../packages/store/testing/volume-records.ts";
import { exportRequest } from "../src/server/exports/export-request.ts";
import { EXPORTED_LISTS } from "../src/server/exports/exported-lists.ts";
import { LISTS_OF_ALL } from "../src/server/exports/lists-of-all.ts";
import { whileAllowed } from "../src/server/exports/stream.ts";
import { ledger } from "../src/server/ledger.ts";
import {
  type Browser,
  type DashboardServer,
  ORIGIN,
  startDashboard,
} from "./testing/dashboard-server.ts";

const STARTED = Date.now() - 60_000;
const RUN = runStart({ startedAt: STARTED });

const ACTION = "01900000-0000-7000-8000-00000000e0a1";

const MINUTE = budgetMinute(Math.floor(STARTED / 60_000) * 60_000, 5);

const HEARTBEAT = heartbeat({
  cloud: {
    ...{ callsLastMinute: 5, throttledLastMinute: 0 },
    quotas: [
      {
        ...{ service: "compute", readAt: STARTED },
        quotas: [{ resource: "servers", limit: 40, used: 38 }, { resource: "keys" }],
      },
    ],
  },
  controls: {
    pauses: [],
    settings: [
      { setting: "ledger-retention-runs", flag: "30d" },
      {
        ...{ setting: "node-deletion-guard", flag: "5,10%,10m" },
        override: { value: "off", by: "Ben", why: "=INC-88", at: STARTED, intentId: ACTION },
      },
    ],
  },
});

const RECORDS = [
  ...fleet(),
  serviceState("shop/web"),
  orphanState("lb-9"),
  nodeRoutesState("w-1"),
  staleRouteState("r-9"),
  tableState("rtb-a", { reported: { foreign: [foreignRoute("f-1")] } }),
  volumeState("pv-1"),
  RUN,
  runEnd({
    ...{ id: RUN.id, startedAt: STARTED, outcome: "failed" },
    reason: { code: "Other", name: "Odd", text: "=1+1, odd" },
  }),
  {
    ...MINUTE,
    cloud: {
      ...MINUTE.cloud,
      priorities: [
        {
          priority: "new",
          calls: 6,
          waited: 2,
          waitMs: 300,
          longestWaitMs: 200,
          putOff: 1,
        } as const,
      ],
      lookups: [{ what: "look up instance", asked: 4, withoutCall: 1, shared: 2 }],
    },
    controllers: [controllerUse({ runs: 4, cloudCalls: 1, kubeCalls: 2 })],
    waiters: [
      {
        controller: "cloud-node-controller",
        object: { kind: "Node", name: "w-1" },
        ...{ runId: RUN.id, at: STARTED, waitMs: 200 },
      } as const,
    ],
  },
];

let server: DashboardServer;
let admin: Browser;

beforeAll(async () => {
  server = await startDashboard([HEARTBEAT, ...RECORDS]);
  admin = await server.signedIn("admin");
});
afterAll(() => server.dispose());

interface Asked {
  readonly list: string;
  /** That of the records, unless another one is given, or none. */
  readonly cluster?: string | undefined;
  readonly format?: string;
  readonly filter?: object | string;
  readonly sort?: string;
}

/** By a viewer who has not exported anything yet, as only so much is answered within a minute. */
async function exported(asked: Asked, by?: Browser): Promise<Response> {
  const { list, format = "json", filter = {}, sort } = asked;
  const cluster = "cluster" in asked ? asked.cluster : CLUSTER;
  const viewer = by ?? (await server.signedIn("viewer"));
  const params = new URLSearchParams({
    ...{ list, format },
    ...(cluster === undefined ? {} : { cluster }),
    filter: typeof filter === "string" ? filter : JSON.stringify(filter),
    ...(sort === undefined ? {} : { sort }),
  });
  const headers = viewer.headers();
  return exportRequest(new Request(`${ORIGIN}/api/export?${params}`, { headers }));
}

/** Without which there is no such list. */
const NEEDED: Readonly<Record<string, object>> = {
  budget: { range: "hour" },
  "budget-waits": { range: "hour" },
  "budget-waiters": { range: "hour" },
  "budget-costs": { range: "hour" },
  "budget-lookups": { range: "hour" },
  events: { kind: "Node", name: "w-1" },
  members: { namespace: "shop", name: "web" },
  "node-load-balancers": { name: "w-1" },
  "run-events": { id: RUN.id },
};

interface ListFile {
  readonly kind: string;
  readonly list: string;
  readonly cluster?: { readonly id: string; readonly name: string };
  readonly exportedAt: string;
  readonly filter: object;
  readonly order: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
}

async function fileOf(asked: Asked, by?: Browser): Promise<ListFile> {
  const answer = await exported(asked, by);
  expect(answer.status).toBe(200);
  return (await answer.json()) as ListFile;
}

describe("an export of a list", () => {
  it.each([
    ["nodes", { name: "w-2", state: "Stuck", zone: "z2", type: "m", address: "10.0.0.2" }],
    [
      "load-balancers",
      { service: "shop/web", members: 2, membersWanted: 2, address: "203.0.113.7" },
    ],
    ["orphans", { balancer: "lb-9", service: "shop/old", "cloud-state": "active" }],
    ["routes", { node: "w-1", ranges: "10.244.1.0/24 In sync", table: "rtb-a" }],
    ["stale-routes", { route: "r-9", destination: "10.244.7.0/24" }],
    ["foreign-routes", { destination: "10.244.9.0/24", place: "In a pod range", owner: null }],
    ["volumes", { name: "pv-1", zone: "zone-a", size: "10 GiB", claim: "shop/data" }],
    ["runs", { object: "w-1", outcome: "Failed", started: new Date(STARTED).toISOString() }],
  ])("of %s has each row with the words of the page", async (list, row) => {
    const file = await fileOf({ list });
    expect(file).toMatchObject({ kind: "cloudwright-list", list, filter: {} });
    expect(file.cluster).toEqual({ id: CLUSTER, name: "prod-eu" });
    expect(file.exportedAt).toMatch(/^20\d\d-.*Z$/);
    expect(file.rows).toContainEqual(expect.objectContaining(row));
    expect(file.count).toBe(file.rows.length);
  });

  it("of the budget has the operations of both APIs in the range", async () => {
    const { rows } = await fileOf({ list: "budget", filter: { range: "hour" } });
    expect(rows.map(({ api, operation, calls }) => [api, operation, calls])).toEqual([
      ["Cloud", "GET /v1/instances", 5],
      ["Kubernetes API", "PATCH nodes", 2],
    ]);
  });

  it.each([
    [
      "budget-waits",
      { priority: "New and changed objects", calls: 6, average: 150, longest: 200, deferred: 1 },
    ],
    ["budget-waiters", { kind: "Node", object: "w-1", waited: 200, run: RUN.id }],
    ["budget-costs", { runs: 4, cloudCalls: 1, cloudCallsPerRun: 0.25, apiCallsPerRun: 0.5 }],
    ["budget-lookups", { lookup: "Look up instance", requests: 4, saved: 75 }],
  ])("of %s has what the page shows of the time that is chosen", async (table, row) => {
    const file = await fileOf({ list: table, filter: { range: "day" } });
    expect(file).toMatchObject({ order: "shown", filter: { range: "day" } });
    expect(file.rows).toEqual([expect.objectContaining(row)]);
    const before = { range: "hour", from: STARTED - 7_200_000, to: STARTED - 3_600_000 };
    expect((await fileOf({ list: table, filter: before })).rows).toEqual([]);
  });

  it("of quotas has each with what is left of it, and none where it has no limit", async () => {
    const { rows } = await fileOf({ list: "quotas" });
    expect(rows.map(({ quota, used, left, share }) => [quota, used, left, share])).toEqual([
      ["Servers", 38, 2, 95],
      ["Keys", null, null, null],
    ]);
  });

  it("of settings has what holds, and who has set it and why", async () => {
    const { rows } = await fileOf({ list: "settings" });
    expect(rows.map(({ setting, value, flag, by }) => [setting, value, flag, by])).toEqual([
      ["--node-deletion-guard", "off", "5,10%,10m", "Ben"],
      ["--ledger-retention-runs", "30d", "30d", null],
    ]);
    const csv = await (await exported({ list: "settings", format: "csv" })).text();
    expect(csv).toContain("'=INC-88");
  });

  it("of actions has what was requested", async () => {
    const operator = await server.signedIn("operator");
    const object = { kind: "Node", name: "w-2", uid: "uid-w-2" };
    const { code } = await operator.mutate("intents.retry", {
      ...{ id: ACTION, cluster: CLUSTER, controller: "cloud-node-controller" },
      ...{ object, why: "INC-88" },
    });
    expect(code).toBeUndefined();
    const { rows } = await fileOf({ list: "actions", filter: { acting: true } });
    expect(rows).toEqual([expect.objectContaining({ id: ACTION, object: "w-2", why: "INC-88" })]);
  });

  it("of a batch has its actions, and of an object its runs", async () => {
    const batch = "01900000-0000-7000-8000-00000000b001";
    const none = await fileOf({ list: "actions", filter: { batch }, sort: "requested" });
    expect([none.filter, none.rows]).toEqual([{ batch }, []]);
    const ofNode = await fileOf({ list: "runs", filter: { key: "w-1", kind: "Node" } });
    expect(ofNode.rows.map(({ object }) => object)).toEqual(["w-1"]);
    const ofNone = await fileOf({ list: "runs", filter: { key: "w-1", kind: "Service" } });
    expect(ofNone.rows).toEqual([]);
  });

  it("of the nodes of a load balancer has what the verdict and the text select", async () => {
    const service = { namespace: "shop", name: "web" };
    const all = await fileOf({ list: "members", filter: service });
    expect(all.count).toBeGreaterThan(0);
    const [first] = all.rows;
    expect(Object.keys(first ?? {})).toEqual(["node", "verdict", "why", "provider", "health"]);
    const { node } = first ?? {};
    const filter = { ...service, member: "in", text: String(node) };
    const some = await fileOf({ list: "members", filter });
    expect(some.rows.every(({ verdict }) => verdict === "In")).toBe(true);
  });

  it.each([
    ["node-load-balancers", { name: "w-1" }, ["service", "verdict", "why", "address", "state"]],
    ["topology-nodes", {}, ["state", "name", "zone", "type", "why", "since"]],
  ])("of %s has the columns of its table", async (list, filter, columns) => {
    const { rows } = await fileOf({ list, filter });
    expect(Object.keys(rows[0] ?? {})).toEqual(columns);
  });

  it("of the topology has what the page's filter selects", async () => {
    const filter = { states: ["stuck"], zone: "z1" };
    const { rows } = await fileOf({ list: "topology-nodes", filter });
    expect(rows.map(({ name }) => name)).toEqual(["w-3"]);
    const services = await fileOf({ list: "topology-services", filter: { text: "shop" } });
    expect(services.rows).toEqual([expect.objectContaining({ service: "shop/web" })]);
    const none = await fileOf({ list: "topology-services", filter: { text: "nothing" } });
    expect(none.rows).toEqual([]);
  });

  it("of the Events of a run, and of flags, is a whole file where there are none", async () => {
    const events = await fileOf({ list: "run-events", filter: { id: RUN.id } });
    expect(events.count).toBe(0);
    expect((await fileOf({ list: "flags" })).count).toBe(0);
  });

  it.each<[string, object]>([
    ["members", { namespace: "shop", name: "none" }],
    ["run-events", { id: "01900000-0000-7000-8000-00000000ffff" }],
  ])("of %s of what is not there is refused in a sentence", async (list, filter) => {
    const viewer = await server.signedIn("viewer");
    const answer = await exported({ list, filter }, viewer);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/^[A-Z].+\.\n$/);
    const kept = await ledger().prisma.auditEntry.count({
      where: { actorId: viewer.userId, action: "list.export" },
    });
    expect(kept).toBe(0);
  });

  it("of incidents has what was shared, newest first, and not what was seen", async () => {
    await ledger().prisma.incident.createMany({
      data: ["older", "newer"].map((title, index) => ({
        ...{ id: `01900000-0000-7000-8000-00000000c00${index}`, clusterId: CLUSTER, title },
        ...{ subject: "Node w-2", snapshot: { secret: "frozen" }, makerId: "u-1" },
        ...{ makerName: "Ana", madeAt: new Date(STARTED + index) },
      })),
    });
    const file = await fileOf({ list: "incidents" });
    expect(file.rows.map(({ title, by }) => [title, by])).toEqual([
      ["newer", "Ana"],
      ["older", "Ana"],
    ]);
    expect(JSON.stringify(file)).not.toContain("frozen");
  });

  it.each(["takeover-waiting", "takeover-adopted", "takeover-reported"])(
    "of %s takes the text of the page",
    async (list) => {
      const file = await fileOf({ list, filter: { text: "shop" } });
      expect(file).toMatchObject({ filter: { text: "shop" }, order: "shown", count: 0 });
    },
  );

  it("without a row is a whole file, too", async () => {
    const file = await fileOf({ list: "dry-run", filter: { show: "all" } });
    expect([file.rows, file.count]).toEqual([[], 0]);
  });

  it("has exactly what the filter selects, in the order of the address", async () => {
    const namesOf = ({ rows }: ListFile) => rows.map(({ name }) => name);
    const stuck = await fileOf({ list: "nodes", filter: { states: ["stuck"] }, sort: "-name" });
    expect(stuck).toMatchObject({ filter: { states: ["stuck"] }, order: "-name" });
    expect(namesOf(stuck)).toEqual(["w-3", "w-2"]);
    const ofZone = await fileOf({ list: "nodes", filter: { zones: ["z1"] }, sort: "name" });
    expect(namesOf(ofZone)).toEqual(["w-1", "w-3"]);
  });

  it("as CSV says what it is of, and has no formula", async () => {
    const filter = { outcomes: ["failed"] };
    const answer = await exported({ list: "runs", format: "csv", filter });
    const lines = (await answer.text()).split("\r\n");
    expect(lines[0]).toBe("# Cloudwright export of,runs");
    expect(lines[1]).toBe(`# cluster,${CLUSTER},prod-eu`);
    expect(lines[3]).toBe('# filter,"{""outcomes"":[""failed""]}"');
    expect(lines[5]).toMatch(/^Started,Outcome,Kind,Object,Why/);
    expect(lines[6]).toContain(`"'=1+1, odd"`);
    expect(lines).toHaveLength(8);
  });

  it("is downloaded under the name of its list, and leaves an audit entry", async () => {
    const viewer = await server.signedIn("viewer");
    const answer = await exported({ list: "volumes", filter: { text: "pv" } }, viewer);
    expect(answer.headers.get("content-disposition")).toMatch(/filename="volumes-[\w-]+Z\.json"/);
    await answer.text();
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { actorId: viewer.userId, action: "list.export" },
    });
    expect(entries.map(({ chain, after }) => [chain, after])).toEqual([
      [CLUSTER, { format: "json", list: "volumes", filter: { text: "pv" }, order: "state" }],
    ]);
  });

  it.each<[string, Asked]>([
    ["a list that there is not", { list: "colours" }],
    ["a member that the list has not", { list: "nodes", filter: { verdicts: ["keep"] } }],
    ["a member of a member", { list: "runs", filter: { not: { colour: "red" } } }],
    ["an order that it has not", { list: "nodes", sort: "colour" }],
    ["a filter that is no JSON", { list: "nodes", filter: "{" }],
    ["an order of the audit record", { list: "audit", sort: "-at" }],
  ])("is refused of %s", async (_what, asked) => {
    expect((await exported(asked)).status).toBe(400);
  });

  it.each(Object.keys(EXPORTED_LISTS))("of %s is refused of another's cluster", async (list) => {
    const restricted = await server.signedIn("viewer");
    await admin.mutate("people.setClusters", { id: restricted.userId, clusters: [] });
    const filter = NEEDED[list] ?? {};
    expect((await exported({ list, filter }, restricted)).status).toBe(404);
  });
});

describe("an export of what is about no one cluster", () => {
  const ofAll = (list: string, by: Browser, filter: object = {}) =>
    fileOf({ list, filter, cluster: undefined }, by);

  it("has the clusters in the page's order, and says of which cluster it is of none", async () => {
    const file = await ofAll("clusters", admin);
    expect(file.cluster).toBeUndefined();
    expect(file.rows).toContainEqual(
      expect.objectContaining({ name: "prod-eu", id: CLUSTER, leader: "ctl-1" }),
    );
    const causes = await ofAll("shared-causes", admin);
    expect(causes.order).toBe("shown");
    const { rows } = await ofAll("compared-flags", admin);
    expect(rows).toContainEqual(expect.objectContaining({ name: "version", cluster: "prod-eu" }));
  });

  it("has only the clusters of whoever asks", async () => {
    const restricted = await server.signedIn("viewer");
    await admin.mutate("people.setClusters", { id: restricted.userId, clusters: [] });
    for (const list of ["clusters", "shared-causes", "compared-flags"]) {
      expect((await ofAll(list, restricted)).rows, list).toEqual([]);
    }
  });

  it("has users and sessions, and nothing by which anybody signs in", async () => {
    const users = await ofAll("users", admin);
    expect(users.rows).toContainEqual(expect.objectContaining({ id: admin.userId, role: "admin" }));
    const sessions = await ofAll("sessions", admin, { of: "own" });
    expect(sessions.rows).toEqual([expect.objectContaining({ this: true })]);
    const kept = await ledger().prisma.session.findMany({ select: { id: true, token: true } });
    const text = JSON.stringify([users, await ofAll("sessions", admin, { of: "all" })]);
    for (const { id, token } of kept) {
      expect(text.includes(id), "the id of a session").toBe(false);
      expect(text.includes(token), "the token of a session").toBe(false);
    }
  });

  it("has tokens by panel, and never a token or its hash", async () => {
    const owner = await server.signedIn("admin");
    const given = { role: "viewer", clusters: "all", days: 1 };
    const made = await owner.mutate("tokens.create", { ...given, kind: "personal", name: "mine" });
    await owner.mutate("tokens.create", { ...given, kind: "service", name: "robot" });
    const own = await ofAll("tokens", owner, { of: "own" });
    expect(own.rows.map(({ name }) => name)).toEqual(["mine"]);
    const services = await ofAll("tokens", owner, { of: "services" });
    expect(services.rows.map(({ name }) => name)).toEqual(["robot"]);
    const others = await ofAll("tokens", admin, { of: "others" });
    expect(others.rows.map(({ name }) => name)).toContain("mine");
    const text = JSON.stringify([own, services, others]);
    expect(text).not.toContain((made.data as { readonly token: string }).token);
    const hashes = await ledger().prisma.apiToken.findMany({ select: { tokenHash: true } });
    expect(hashes.length).toBeGreaterThan(1);
    for (const { tokenHash } of hashes) expect(text).not.toContain(tokenHash);
  });

  it("has webhooks without the secret part of their address, and what they sent", async () => {
    const owner = await server.signedIn("admin");
    const created = await owner.mutate("webhooks.create", {
      ...{ name: "chat", url: "https://hooks.example.org/services/T0/very-secret" },
      ...{ form: "slack", rules: { stuck: { afterMinutes: 5 } }, cluster: CLUSTER },
    });
    expect(created, created.message).toMatchObject({ status: 200 });
    const file = await ofAll("webhooks", owner);
    expect(file.rows).toEqual([
      expect.objectContaining({ name: "chat", origin: "https://hooks.example.org" }),
    ]);
    const text = JSON.stringify(file);
    expect(text).not.toContain("very-secret");
    expect(text).not.toContain((created.data as { readonly secret: string }).secret);
    const sent = await ofAll("deliveries", owner, { states: ["failed"] });
    expect([sent.rows, sent.filter]).toEqual([[], { states: ["failed"] }]);
  });

  it.each(["users", "sessions", "tokens"])("of all %s is an admin's", async (list) => {
    const filter = { sessions: { of: "all" }, tokens: { of: "others" } }[list] ?? {};
    expect((await exported({ list, filter, cluster: undefined })).status).toBe(403);
  });

  it.each(Object.keys(LISTS_OF_ALL))("of %s takes no cluster and no other filter", async (list) => {
    expect((await exported({ list }, await server.signedIn("admin"))).status).toBe(400);
    const asked = { list, cluster: undefined, filter: { colour: "red" } };
    expect((await exported(asked, await server.signedIn("admin"))).status).toBe(400);
  });

  it("leaves its entry among those of the accounts", async () => {
    const owner = await server.signedIn("admin");
    await ofAll("users", owner);
    const entries = await ledger().prisma.auditEntry.findMany({
      where: { actorId: owner.userId, action: "list.export" },
    });
    expect(entries.map(({ chain, why }) => [chain, why])).toEqual([
      ["accounts", "Exported the list of users as json"],
    ]);
  });

  it("is refused to whoever names a cluster's list without the cluster", async () => {
    expect((await exported({ list: "nodes", cluster: undefined })).status).toBe(400);
  });
});

describe("an export of a long list", () => {
  const LONG = "6f3c2a10-0000-4000-8000-00000000010f";
  const RUNS = 3_500;

  beforeAll(async () => {
    const { pool, prisma } = ledger();
    await prisma.cluster.create({
      data: { id: LONG, name: "long", provider: "sandbox", lastHeardAt: new Date() },
    });
    await pool.query(MAKE_DAYS);
    await pool.query(GENERATE_RUNS, [LONG, RUNS]);
  });

  async function pagesReadBy(work: () => Promise<unknown>): Promise<number> {
    const reads = vi.spyOn(ledger().pool, "query");
    await work();
    const pages = reads.mock.calls.filter(([text]) => String(text).includes("FROM runs"));
    reads.mockRestore();
    return pages.length;
  }

  it("has every row once, newest first, page by page", async () => {
    let file: ListFile | undefined;
    const pages = await pagesReadBy(async () => {
      file = await fileOf({ list: "runs", cluster: LONG });
    });
    const rows = file?.rows ?? [];
    expect(file?.count).toBe(RUNS);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(RUNS);
    const times = rows.map(({ started }) => String(started));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(pages).toBe(Math.ceil(RUNS / 1_000));
  });

  it("ends when the browser goes away", async () => {
    const pages = await pagesReadBy(async () => {
      const answer = await exported({ list: "runs", cluster: LONG });
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.read();
      await reader?.cancel();
    });
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(Math.ceil(RUNS / 1_000));
  });

  it("breaks off when the cluster is taken from whoever asked", async () => {
    const leaving = await server.signedIn("viewer");
    const allowed = { headers: leaving.headers(), cluster: LONG };
    await expect(countOf(whileAllowed(pieces(), allowed, 0))).resolves.toBe(3);
    await admin.mutate("people.setClusters", { id: leaving.userId, clusters: [CLUSTER] });
    await expect(countOf(whileAllowed(pieces(), allowed, 0))).rejects.toThrow(/kept from it/);
  });
});

async function* pieces(): AsyncGenerator<string> {
  yield* ["a", "b", "c"];
}

async function countOf(file: AsyncGenerator<string>): Promise<number> {
  let count = 0;
  for await (const _ of file) count += 1;
  return count;
}

const MAKE_DAYS = `
  SELECT cloudwright_make_run_days(array_agg(DISTINCT (moment AT TIME ZONE 'UTC')::date))
    FROM generate_series(now() - interval '1 day', now(), interval '1 hour') AS moment`;

/** Three of them start at each moment, so that pages end between equals. */
const GENERATE_RUNS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt,
                    outcome, reason_code, reason, started_at, queued_ms, change_count, dry_run, changes, not_taken, steps)
  SELECT gen_random_uuid(), $1, 'ctl-1', 'cloud-node-controller', 'Node', 'w-' || n, 'period', '{"kind":"period"}', 1,
         'unchanged', 'InStep', '{"code":"InStep"}', now() - (n / 3) * interval '1 millisecond', 0, 0, false, '[]', '[]', '[]'
    FROM generate_series(1, $2::int) AS n`;
