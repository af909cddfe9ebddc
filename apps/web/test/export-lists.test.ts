import { beforeAll, describe, expect, it, vi } from "vitest";
import { CLUSTER } from "../../../packages/store/testing/records.ts";
import { EXPORTED_LISTS } from "../src/server/exports/exported-lists.ts";
import { whileAllowed } from "../src/server/exports/stream.ts";
import { ledger } from "../src/server/ledger.ts";
import { type Browser, testDashboard } from "./testing/dashboard-server.ts";
import { ACTION, RECORDS, RUN, STARTED } from "./testing/export-records.ts";
import {
  type Asked,
  exported as exportedBy,
  fileOf as fileBy,
  type ListFile,
} from "./testing/exported-file.ts";
import { addLongList } from "./testing/long-list.ts";

const server = testDashboard(RECORDS);
let admin: Browser;

beforeAll(async () => {
  admin = await server.signedIn("admin");
});

const exported = (asked: Asked, by?: Browser) => exportedBy(server, asked, by);
const fileOf = (asked: Asked, by?: Browser) => fileBy(server, asked, by);

/** Required members, without which there is no such list. */
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
  ])("of %s has each row in the page's words", async (list, row) => {
    const file = await fileOf({ list });
    expect(file).toMatchObject({ kind: "cloudwright-list", list, filter: {} });
    expect(file.cluster).toEqual({ id: CLUSTER, name: "prod-eu" });
    expect(file.exportedAt).toMatch(/^20\d\d-.*Z$/);
    expect(file.rows).toContainEqual(expect.objectContaining(row));
    expect(file.count).toBe(file.rows.length);
  });

  it("of the budget has the operations of both APIs in the time range", async () => {
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
  ])("of %s has what the page shows for the chosen time", async (table, row) => {
    const file = await fileOf({ list: table, filter: { range: "day" } });
    expect(file).toMatchObject({ order: "shown", filter: { range: "day" } });
    expect(file.rows).toEqual([expect.objectContaining(row)]);
    const before = { range: "hour", from: STARTED - 7_200_000, to: STARTED - 3_600_000 };
    expect((await fileOf({ list: table, filter: before })).rows).toEqual([]);
  });

  it("of quotas shows what is left of each, and nothing for one without a limit", async () => {
    const { rows } = await fileOf({ list: "quotas" });
    expect(rows.map(({ quota, used, left, share }) => [quota, used, left, share])).toEqual([
      ["Servers", 38, 2, 95],
      ["Keys", null, null, null],
    ]);
  });

  it("of settings has the current values, and who set them and why", async () => {
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

  it("of a load balancer's nodes has what the verdict and the text select", async () => {
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

  it("of a run's Events, and of flags, is a complete file even if there are none", async () => {
    const events = await fileOf({ list: "run-events", filter: { id: RUN.id } });
    expect(events.count).toBe(0);
    expect((await fileOf({ list: "flags" })).count).toBe(0);
  });

  it.each<[string, object]>([
    ["members", { namespace: "shop", name: "none" }],
    ["run-events", { id: "01900000-0000-7000-8000-00000000ffff" }],
  ])("of %s for an unknown object is refused with a sentence", async (list, filter) => {
    const viewer = await server.signedIn("viewer");
    const answer = await exported({ list, filter }, viewer);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/^[A-Z].+\.\n$/);
    const kept = await ledger().prisma.auditEntry.count({
      where: { actorId: viewer.userId, action: "list.export" },
    });
    expect(kept).toBe(0);
  });

  it("of incidents has what was shared, newest first, without the snapshots", async () => {
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

  it("without a row is a complete file, too", async () => {
    const file = await fileOf({ list: "dry-run", filter: { show: "all" } });
    expect([file.rows, file.count]).toEqual([[], 0]);
  });

  it("has exactly what the filter selects, in the requested order", async () => {
    const namesOf = ({ rows }: ListFile) => rows.map(({ name }) => name);
    const stuck = await fileOf({ list: "nodes", filter: { states: ["stuck"] }, sort: "-name" });
    expect(stuck).toMatchObject({ filter: { states: ["stuck"] }, order: "-name" });
    expect(namesOf(stuck)).toEqual(["w-3", "w-2"]);
    const ofZone = await fileOf({ list: "nodes", filter: { zones: ["z1"] }, sort: "name" });
    expect(namesOf(ofZone)).toEqual(["w-1", "w-3"]);
  });

  it("says as CSV what it contains, and has no formula", async () => {
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

  it("is downloaded under its list's name, and leaves an audit entry", async () => {
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
  ])("is refused for %s", async (_what, asked) => {
    expect((await exported(asked)).status).toBe(400);
  });

  it.each(Object.keys(EXPORTED_LISTS))("of %s is refused for a forbidden cluster", async (list) => {
    const restricted = await server.signedIn("viewer");
    await admin.mutate("people.setClusters", { id: restricted.userId, clusters: [] });
    const filter = NEEDED[list] ?? {};
    expect((await exported({ list, filter }, restricted)).status).toBe(404);
  });
});

describe("an export of a long list", () => {
  const LONG = "6f3c2a10-0000-4000-8000-00000000010f";
  const RUNS = 3_500;

  beforeAll(() => addLongList(LONG, RUNS));

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

  it("ends when the browser disconnects", async () => {
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

  it("breaks off when the user loses access to the cluster", async () => {
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
