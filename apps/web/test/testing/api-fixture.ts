import { insertAuditEntry } from "@cloudwright/store/audit/audit-insert";
import { beforeAll } from "vitest";
import {
  budgetMinute,
  operation,
  settings,
} from "../../../../packages/store/testing/budget-records.ts";
import {
  orphanState,
  serviceState,
} from "../../../../packages/store/testing/load-balancer-records.ts";
import {
  CLUSTER,
  heartbeat,
  newId,
  nodePart,
  objectState,
  runEnd,
  runStart,
} from "../../../../packages/store/testing/records.ts";
import { nodeRoutesState, tableState } from "../../../../packages/store/testing/route-records.ts";
import { volumeState } from "../../../../packages/store/testing/volume-records.ts";
import { namesIn } from "../../src/server/http-api/api-route.ts";
import { BASE } from "../../src/server/http-api/base.ts";
import { type Browser, type DashboardServer, owner, testDashboard } from "./dashboard-server.ts";

/** A second cluster, which most requests must not reveal. */
export const OTHER = "0b000000-0000-4000-8000-00000000000b";
export const RUN_AT = Date.now() - 60_000;
export const RUN = newId(RUN_AT);
export const INTENT = newId();

/** For a file of tests: a dashboard with something to answer at each address of the HTTP API. */
export function testApiServer(): DashboardServer {
  const minute = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
  const run = { id: RUN, startedAt: RUN_AT };
  const server = testDashboard([
    heartbeat(),
    heartbeat({ cluster: OTHER, clusterName: "other", instance: "o-1" }),
    settings(),
    budgetMinute(minute, 3, {
      cloud: { operations: [operation({})], priorities: [], lookups: [] },
    }),
    objectState({
      name: "w-1",
      uid: "uid-1",
      node: nodePart({ createdAt: Date.now(), providerID: "x://w-1" }),
    }),
    objectState({
      name: "w-2",
      uid: "uid-2",
      node: nodePart({ createdAt: Date.now(), providerID: "x://w-2" }),
    }),
    objectState({ cluster: OTHER, name: "hidden", uid: "uid-3" }),
    nodeRoutesState("w-1", { uid: "uid-1" }),
    tableState("rtb-1"),
    serviceState("shop/web"),
    orphanState("lb-9"),
    volumeState("pv-1"),
    runStart(run),
    runEnd(run),
  ]);
  beforeAll(addIntent);
  return server;
}

/** Fills in the names that an address asks for: it leads to something that there is, an incident of this admin among it. */
export async function addressesOf(admin: Browser): Promise<(path: string) => string> {
  const incident = await shareRun(admin);
  return (path) => filledWith(incident, path);
}

async function addIntent(): Promise<void> {
  const at = new Date();
  await owner().prisma.intent.create({
    data: {
      ...{ id: INTENT, clusterId: CLUSTER, kind: "retry", controller: "cloud-node-controller" },
      ...{ objectKind: "Node", objectName: "w-1", why: "waits", actorId: "ana", actorName: "Ana" },
      ...{ state: "requested", requestedAt: at, updatedAt: at },
      expiresAt: new Date(at.getTime() + 3_600_000),
    },
  });
  await insertAuditEntry(owner().prisma, {
    ...{ cluster: CLUSTER, action: "intent.request", why: "waits", result: "applied" },
    ...{ before: null, after: null, intentId: INTENT },
    actor: { kind: "person", id: "ana", name: "Ana" },
    object: { kind: "Node", name: "w-1" },
  });
}

async function shareRun(admin: Browser): Promise<string> {
  const about = { kind: "run", id: RUN };
  const { data } = await admin.mutate("incidents.share", { cluster: CLUSTER, about });
  return (data as { readonly id: string }).id;
}

const VALUES: Readonly<Record<string, string>> = {
  ...{ cluster: CLUSTER, "nodes.name": "w-1", "volumes.name": "pv-1", "runs.id": RUN },
  ...{ "actions.id": INTENT, "load-balancers.namespace": "shop", "load-balancers.name": "web" },
  ...{ "objects.kind": "Node", "objects.name": "w-1", "objects.namespace": "shop" },
};

/** What an address needs in addition to its path. */
const QUERIES: Readonly<Record<string, string>> = {
  "/fleet/search": "?text=w-1",
  "/clusters/{cluster}/search": "?text=w-1",
  "/clusters/{cluster}/events": "?kind=Node&name=w-1",
};

function filledWith(incident: string, path: string): string {
  const group = path.split("/")[3] ?? "";
  const isService = path.includes("{kind}/{namespace}");
  const values: Readonly<Record<string, string>> = {
    ...VALUES,
    "incidents.id": incident,
    ...(isService ? { "objects.kind": "Service", "objects.name": "web" } : {}),
  };
  const one = (name: string) => values[name] ?? values[`${group}.${name}`] ?? "";
  return namesIn(path).reduce(
    (text, name) => text.replace(`{${name}}`, one(name)),
    `${BASE}${path}${QUERIES[path] ?? ""}`,
  );
}
