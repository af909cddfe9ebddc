import type { TimelineStep } from "@cloudwright/core/model/records/node-record";
import { beforeAll, describe, expect, it } from "vitest";
import { serviceState } from "../../../packages/store/testing/load-balancer-records.ts";
import {
  CLUSTER,
  heartbeat,
  newId,
  nodePart,
  objectState,
  runEnd,
} from "../../../packages/store/testing/records.ts";
import { nodeRoutesState } from "../../../packages/store/testing/route-records.ts";
import { BASE } from "../src/server/http-api/base.ts";
import { callApi, descriptionCheck, schemaOf, tokenOf } from "./testing/api-calls.ts";
import { type Browser, owner, testDashboard } from "./testing/dashboard-server.ts";

const OTHER = "0b000000-0000-4000-8000-00000000000b";
const AT = Date.now() - 600_000;
const RUN = newId(AT);
const WAITING = newId();
const WAITS = { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "a1" } as const;

/** Initialised at `AT`, after four seconds of which its addresses took three. */
function initialised() {
  const createdAt = AT - 4_000;
  const step = (name: TimelineStep["step"], ms: number): TimelineStep => ({
    ...{ step: name, state: "done", startedAt: createdAt, endedAt: createdAt + ms, tries: 1 },
  });
  return objectState({
    ...{ name: "w-1", uid: "uid-1", at: AT, initialisedAt: AT },
    node: nodePart({ createdAt, zone: "a", instanceType: "m1" }),
    timeline: [step("registered", 0), step("addresses", 3_000)],
  });
}

const server = testDashboard([
  heartbeat({
    ...{ inventory: { nodes: 2, uninitialised: 0, services: 1 } },
    ...{ eventWatch: { state: "watching", leftOut: 0 } },
  }),
  heartbeat({ cluster: OTHER, clusterName: "other", instance: "o-1" }),
  initialised(),
  ...[CLUSTER, OTHER].map((cluster) => lost(cluster)),
  serviceState("shop/web", {
    state: "stuck",
    reason: { ...WAITS, proofs: ["name"] },
  }),
  ...held(),
  nodeRoutesState("w-1", { uid: "uid-1" }),
  runEnd({ id: RUN, startedAt: AT }),
  runEnd({ id: newId(AT), startedAt: AT, dryRun: true, outcome: "unchanged", applied: 0 }),
]);
let admin: Browser;
let token: string;

beforeAll(async () => {
  admin = await server.signedIn("admin");
  token = await tokenOf(admin);
  await addWaitingIntent();
});

function lost(cluster: string) {
  return objectState({
    ...{ cluster, name: "w-2", uid: `uid-2-${cluster}`, node: nodePart({ createdAt: AT }) },
    ...{ state: "stuck", reason: { code: "Other", name: "NoZone", text: "It has no zone" } },
  });
}

/** It was stuck before. */
function held() {
  const node = { name: "w-3", uid: "uid-3", node: nodePart({ createdAt: AT }) };
  const reason = { code: "Other", name: "Held", text: "It is held" } as const;
  return [
    objectState({ ...lost(CLUSTER), ...node, at: AT }),
    objectState({ ...node, state: "held", reason, at: AT + 1_000 }),
  ];
}

async function addWaitingIntent(): Promise<void> {
  const at = new Date();
  await owner().prisma.intent.create({
    data: {
      ...{ id: WAITING, clusterId: CLUSTER, kind: "override", controller: "cloud-node-controller" },
      ...{ objectKind: "Node", objectName: "w-1", why: "waits", actorId: "ana", actorName: "Ana" },
      ...{ state: "awaiting-approval", requestedAt: at, updatedAt: at },
      expiresAt: new Date(at.getTime() + 3_600_000),
    },
  });
}

const problemsOf = descriptionCheck();

/** What an address answers, which is as its description says. */
async function read(path: string, query = "", id = ""): Promise<unknown> {
  const address = path.replace("{cluster}", CLUSTER).replace(/\{(?:id|name)\}/, id);
  const { status, body } = await callApi(`${BASE}${address}${query}`, {
    authorization: `Bearer ${token}`,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(problemsOf(schemaOf(path), body)).toEqual([]);
  return body;
}

describe("what all clusters are asked at once", () => {
  it("is how their leaders fare, with all that these report", async () => {
    expect(await read("/clusters")).toMatchObject({
      rows: [{}, { leader: { inventory: { nodes: 2 }, eventWatch: { state: "watching" } } }],
    });
  });

  it("is what a text means in any of them", async () => {
    expect(await read("/fleet/search", "?text=w-2")).toMatchObject({
      searched: 2,
      clusters: [
        { cluster: OTHER, name: "other", found: { objects: [{ kind: "Node", name: "w-2" }] } },
        { cluster: CLUSTER, name: "prod-eu", found: { objects: [{ kind: "Node", name: "w-2" }] } },
      ],
    });
    const found = await read("/clusters/{cluster}/search", `?text=${RUN}`);
    expect(found).toMatchObject({ objects: [], runs: [{ id: RUN }], runCount: 1 });
  });

  it("is what several have in common, and how they differ", async () => {
    expect(await read("/fleet/causes")).toMatchObject({
      rows: [{ kind: "stuck", count: 2, clusters: [{ count: 1 }, { count: 1 }] }],
    });
    expect(await read("/fleet/settings")).toMatchObject({
      clusters: [{ name: "other" }, { name: "prod-eu" }],
    });
  });
});

describe("an object that is held", () => {
  it("is described with what was wrong when the hold began", async () => {
    expect(await read("/clusters/{cluster}/nodes/{name}", "", "w-3")).toMatchObject({
      controllers: [{ state: "held", underneath: { state: "stuck", reason: { name: "NoZone" } } }],
    });
  });
});

describe("what the pages draw", () => {
  it("is the topology of nodes, and of Services", async () => {
    expect(await read("/clusters/{cluster}/topology/nodes")).toMatchObject({
      nodes: [
        { name: "w-2", state: "stuck" },
        { name: "w-3", state: "held" },
        { name: "w-1", state: "ok", zone: "a", type: "m1" },
      ],
      isCut: false,
    });
    expect(await read("/clusters/{cluster}/topology/services", "?text=web")).toMatchObject({
      services: [{ name: "shop/web", state: "stuck" }],
      total: 1,
    });
  });

  it("is the map of the route tables", async () => {
    expect(await read("/clusters/{cluster}/route-map")).toMatchObject({
      nodes: [{ name: "w-1", cells: [{ cidr: "10.244.1.0/24", verdict: "keep", table: "rtb-a" }] }],
    });
  });

  it("is how long nodes took, at the time at which they did", async () => {
    const query = `?from=${AT - 1_000}&to=${AT + 47_000}`;
    expect(await read("/clusters/{cluster}/node-initialisation", query)).toEqual({
      ...{ from: AT - 1_000, to: AT + 47_000 },
      parts: [
        {
          ...{ at: AT, until: AT + 1_000, nodes: 1, p50Ms: 4_000, p95Ms: 4_000 },
          slowestStep: { step: "addresses", p50Ms: 3_000 },
          slowest: { name: "w-1", ms: 4_000 },
        },
      ],
    });
  });

  it("is when what a filter selects happened", async () => {
    const runs = async (query: string) => {
      const span = `?parts=2&from=${AT - 1_000}&to=${AT + 1_000}`;
      const answer = await read("/clusters/{cluster}/runs-histogram", `${span}${query}`);
      return sumOf((answer as Counted).counts);
    };
    expect(await runs("")).toBe(2);
    expect(await runs("&outcomes=changed")).toBe(1);
    expect(await runs("&not.outcomes=changed")).toBe(1);
    const { counts } = (await read("/accounts/audit-histogram")) as Counted;
    expect(sumOf(counts)).toBeGreaterThan(0);
  });
});

describe("what has not been done yet", () => {
  it("is what waits for consent", async () => {
    expect(await read("/clusters/{cluster}/takeover")).toMatchObject({
      waiting: [{ kind: "Service", name: "shop/web", reason: { code: "BalancerUnowned" } }],
      counts: { waiting: { balancers: 1, routes: 0 } },
    });
  });

  it("is what a dry run would do", async () => {
    expect(await read("/clusters/{cluster}/dry-run", "?show=all&limit=1")).toMatchObject({
      rows: [{ object: { name: "w-1" }, changes: [{ kind: "node.initialise" }] }],
      counts: { all: 1, changes: 1, stopped: 0 },
    });
  });

  it("is what waits for approval, and whether anything would", async () => {
    expect(await read("/clusters/{cluster}/approvals")).toMatchObject({
      rows: [{ intent: { id: WAITING }, isOwn: false }],
    });
    expect(await read("/clusters/{cluster}/approval-policy")).toMatchObject({ required: false });
  });
});

describe("what users write for each other", () => {
  it("is their comments, on runs and on actions", async () => {
    for (const about of [
      { kind: "run", id: RUN },
      { kind: "action", id: WAITING },
    ]) {
      await admin.mutate("comments.add", { cluster: CLUSTER, about, text: `on a ${about.kind}` });
    }
    expect(await read("/clusters/{cluster}/runs/{id}/comments", "", RUN)).toMatchObject({
      rows: [{ text: "on a run" }],
    });
    expect(await read("/clusters/{cluster}/actions/{id}/comments", "", WAITING)).toMatchObject({
      rows: [{ text: "on a action" }],
    });
  });

  it("is the incidents that they share", async () => {
    const about = { kind: "run", id: RUN };
    const shared = await admin.mutate("incidents.share", { cluster: CLUSTER, about, title: "odd" });
    const { id } = shared.data as { readonly id: string };
    expect(await read("/clusters/{cluster}/incidents")).toMatchObject({
      rows: [{ id, title: "odd" }],
    });
    expect(await read("/clusters/{cluster}/incidents/{id}", "", id)).toMatchObject({
      snapshot: { about, cluster: { name: "prod-eu" } },
    });
  });

  it("is the views that they have saved", async () => {
    const list = { page: "nodes", search: "state=stuck" };
    await admin.mutate("savedViews.save", { name: "stuck", shared: false, list });
    expect(await read("/saved-views")).toMatchObject({
      rows: [{ name: "stuck", page: "nodes", search: "state=stuck", isOwn: true }],
    });
  });
});

interface Counted {
  readonly counts: readonly number[];
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
