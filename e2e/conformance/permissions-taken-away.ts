import { hasEnded } from "../harness/controller.ts";
import { always, demand, eventually, same } from "../harness/wait.ts";
import { accountToken } from "./accounts.ts";
import { FOLLOWED_CLIENT_CA, newCallersStayStrangers } from "./followed-client-ca.ts";
import { IDENTITY_RIGHTS } from "./identity-rights.ts";
import { leaderAmong, leads, leaseOf, leasePath } from "./leading.ts";
import { given, giving } from "./node-ipam-objects.ts";
import {
  createInstance,
  createNode,
  hasTaint,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  patchNode,
  SHUTDOWN_KEY,
  setReady,
  ZONE,
} from "./objects.ts";
import { hasCondition, join, ROUTE_FLAGS } from "./route-objects.ts";
import { type Scenario, Skip } from "./scenario.ts";
import {
  createMember,
  createService,
  editService,
  finalizersOf,
  seenService,
  served,
} from "./service-objects.ts";
import { shippedRights } from "./shipped-roles.ts";
import type { Replica, Stage } from "./stage.ts";
import {
  apartNamespace,
  isAbout,
  losesEvents,
  type TakenRightRow,
  type Undo,
  withoutRight,
} from "./taken-right.ts";
import { warned } from "./told.ts";
import { VOLUME_RIGHTS } from "./volume-rights.ts";

const SYSTEM = { namespace: "kube-system" };
const LEASE = { group: "coordination.k8s.io", resource: "leases", ...SYSTEM };
const RECORD = { resource: "configmaps", name: "cloudwright-controls", ...SYSTEM };
const CLIENT_CA = {
  resource: "configmaps",
  name: "extension-apiserver-authentication",
  ...SYSTEM,
};
/** Else the controllers of other rows would work on a row's Service. */
const NODES_ALONE = { "--controllers": "*,-service" };
const SERVICES_ALONE = { "--controllers": "service" };
const NOBODY = { "--controllers": "-service" };
const ELECTS = {
  ...NOBODY,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "4s",
  "--leader-elect-renew-deadline": "3s",
  "--leader-elect-retry-period": "1s",
};
/** A standby that reads the Lease so seldom that whatever it notices sooner it was told. */
const SELDOM = {
  ...NOBODY,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "40s",
  "--leader-elect-renew-deadline": "30s",
  "--leader-elect-retry-period": "12s",
};
const GIVES_RANGES = giving("10.242.0.0/16");
const GUARDED = {
  ...NOBODY,
  "--authorization-always-allow-paths": "/healthz,/readyz,/livez,/metrics",
};
const SHORT_MS = 3_000;

const ROWS: readonly TakenRightRow[] = [
  {
    id: "P-01",
    part: "process",
    verb: "get",
    resource: "namespaces",
    name: "kube-system",
    title: "the cluster cannot be told, and nothing is done",
    flags: NODES_ALONE,
    shows: async (stage, replica) => {
      await nodeWaits(stage);
      demand(/grant get of the namespace kube-system/.test(replica.output()), "it does not say so");
    },
  },
  {
    id: "P-02",
    part: "process",
    verb: "list",
    resource: "nodes",
    title: "nothing is done, and it is not ready",
    flags: NODES_ALONE,
    shows: async (stage, replica) => {
      await nodeWaits(stage);
      same((await replica.ask("/readyz"))?.status, 500, "the readiness");
    },
  },
  {
    id: "P-03",
    part: "process",
    verb: "watch",
    resource: "nodes",
    title: "the mirror of nodes is interrupted, and it says so",
    flags: NODES_ALONE,
    shows: (_, replica) => says(replica, /The watch of nodes was interrupted/),
  },
  {
    id: "P-04",
    part: "events",
    verb: "create",
    resource: "events",
    title: "a node is initialised, and its Events are counted as lost",
    flags: NODES_ALONE,
    shows: async (stage, replica) => {
      await nodeComes(stage);
      await losesEvents(replica, "cloud-node-controller");
    },
  },
  {
    id: "P-06",
    part: "leader-election",
    verb: "create",
    ...LEASE,
    title: "nobody leads where there is no Lease",
    flags: ELECTS,
    shows: async (stage, replica) => {
      await neverLeads(replica);
      same(await leaseOf(stage), undefined, "the Lease");
    },
  },
  {
    id: "P-07",
    part: "leader-election",
    verb: "get",
    ...LEASE,
    title: "nobody leads",
    flags: ELECTS,
    shows: (_, replica) => neverLeads(replica),
  },
  {
    id: "P-08",
    part: "leader-election",
    verb: "update",
    ...LEASE,
    title: "whoever made the Lease loses it and ends",
    flags: ELECTS,
    shows: async (_, replica) => same(await replica.ended, 1, "the exit code"),
  },
  {
    id: "P-09",
    part: "leader-election",
    verb: "list",
    ...LEASE,
    title: "a Lease that is released is noticed at the next retry alone (H-10)",
    flags: SELDOM,
    before: startLeader,
    shows: releaseComesLate,
  },
  {
    id: "P-10",
    part: "leader-election",
    verb: "watch",
    ...LEASE,
    title: "it leads by reading the Lease, and says what it was refused",
    flags: ELECTS,
    shows: async (_, replica) => {
      await comesToLead(replica);
      await says(replica, /forbidden.*watch.*leases|watch.*leases.*forbid/i);
    },
  },
  {
    id: "P-11",
    part: "control-record",
    verb: "create",
    resource: "configmaps",
    ...SYSTEM,
    title: "health says that there are no controls, and the nodes are served",
    flags: NODES_ALONE,
    electsApart: true,
    shows: worksWithoutControls,
  },
  {
    id: "P-12",
    part: "control-record",
    verb: "get",
    ...RECORD,
    title: "health says that there are no controls, and the nodes are served",
    flags: NODES_ALONE,
    electsApart: true,
    before: makeRecord,
    shows: worksWithoutControls,
  },
  {
    id: "P-13",
    part: "control-record",
    verb: "update",
    ...RECORD,
    title: "health says that there are no controls, and the nodes are served",
    flags: NODES_ALONE,
    electsApart: true,
    before: makeRecord,
    shows: worksWithoutControls,
  },
  {
    id: "P-14",
    part: "node",
    verb: "update",
    resource: "nodes",
    title: "a node is initialised by a patch, after a call that is refused",
    flags: NODES_ALONE,
    shows: async (stage) => {
      await nodeComes(stage);
      await isRefused(stage, { verb: "update", path: `/api/v1/nodes/${stage.name}` });
    },
  },
  {
    id: "P-15",
    part: "node",
    verb: "patch",
    resource: "nodes/status",
    title: "a node keeps its taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (stage) => {
      await nodeWaits(stage);
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
    },
  },
  {
    id: "P-17",
    part: "service-cache",
    verb: "watch",
    resource: "services",
    title: "the mirror of Services is interrupted, and it says so",
    flags: SERVICES_ALONE,
    shows: (_, replica) => says(replica, /The watch of services was interrupted/),
  },
  {
    id: "P-18",
    part: "https-authentication",
    verb: "create",
    group: "authentication.k8s.io",
    resource: "tokenreviews",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (stage, replica) => {
      await refusesCaller(stage, replica);
      await says(replica, /A request over HTTPS failed.*tokenreviews/);
    },
  },
  {
    id: "P-19",
    part: "https-authorization",
    verb: "create",
    group: "authorization.k8s.io",
    resource: "subjectaccessreviews",
    title: "a caller with a token is refused, and the log says why",
    flags: GUARDED,
    knowsCallers: true,
    shows: async (stage, replica) => {
      await refusesCaller(stage, replica);
      await says(replica, /A request over HTTPS failed.*subjectaccessreviews/);
    },
  },
  {
    id: "P-20",
    part: "https-authentication",
    verb: "get",
    ...CLIENT_CA,
    title: "it ends with 1 and says what to grant or to give",
    flags: GUARDED,
    knowsCallers: true,
    ends: true,
    shows: async (_, replica) => {
      same(await replica.ended, 1, "the exit code");
      for (const part of [
        "grant get, list and watch of the ConfigMap kube-system/extension-apiserver-authentication",
        "--authentication-tolerate-lookup-failure",
      ])
        demand(replica.output().includes(part), `it says ${replica.output()}`);
    },
  },
  {
    id: "P-21",
    part: "https-authentication",
    verb: "list",
    ...CLIENT_CA,
    title: "a client CA that the cluster adds is not noticed (P-53)",
    flags: GUARDED,
    knowsCallers: true,
    shows: newCallersStayStrangers,
  },
  {
    id: "P-22",
    part: "https-authentication",
    verb: "watch",
    ...CLIENT_CA,
    title: "it is listed again and again instead, and a log of details says so",
    flags: { ...GUARDED, "--v": "4" },
    knowsCallers: true,
    shows: (_, replica) => says(replica, /The watch of the client CA was interrupted/),
  },
];

/** What happens to nodes and Services that other rows' controllers might touch as well. */
const ALONE: readonly TakenRightRow[] = [
  {
    id: "P-05",
    part: "events",
    verb: "patch",
    resource: "events",
    title: "what happens again is told once, and counted as lost",
    flags: SERVICES_ALONE,
    shows: async (stage, replica) => {
      const { name } = stage;
      await createMember(stage, name);
      await createService(stage, name);
      await served(stage, name);
      await editService(stage, name, { spec: { ports: [{ name: "web", port: 81 }] } });
      await losesEvents(replica, "service-controller");
      const counts = stage.events
        .all()
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, count }) => `${reason} ${count ?? 1}`);
      same(
        counts.filter((each) => !each.endsWith(" 1")),
        [],
        "Events that were counted up",
      );
    },
  },
  {
    id: "P-16",
    part: "service-cache",
    verb: "list",
    resource: "services",
    title: "no Service is served, and it is not ready",
    flags: SERVICES_ALONE,
    shows: async (stage, replica) => {
      await serviceWaits(stage);
      same((await replica.ask("/readyz"))?.status, 500, "the readiness");
    },
  },
  {
    id: "P-23",
    part: "node-lifecycle",
    verb: "patch",
    resource: "nodes",
    title: "the node of a stopped machine gets no taint, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (stage) => {
      const id = await nodeComes(stage);
      await stage.cloud.stop(id);
      await setReady(stage, stage.name, "False");
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
      await nodeStays(stage, stage.name, {
        check: (node) => demand(!hasTaint(node, SHUTDOWN_KEY), "it got the taint"),
        forMs: SHORT_MS,
      });
    },
  },
  {
    id: "P-24",
    part: "node-lifecycle",
    verb: "delete",
    resource: "nodes",
    title: "the node of a machine that is gone stays, and a Warning says why",
    flags: NODES_ALONE,
    shows: async (stage) => {
      const id = await nodeComes(stage);
      await stage.cloud.remove(id);
      await setReady(stage, stage.name, "False");
      await warned(stage, stage.name, ["DeletingNodeFailed"]);
      await nodeStays(stage, stage.name, { check: () => undefined, forMs: SHORT_MS });
    },
  },
  {
    id: "P-25",
    part: "service",
    verb: "patch",
    resource: "services/status",
    title: "a Service gets neither finalizer nor balancer",
    flags: SERVICES_ALONE,
    shows: async (stage, replica) => {
      await serviceWaits(stage);
      await says(replica, /services.*forbidden|KubeForbidden/i);
    },
  },
  {
    id: "P-42",
    part: "node-ipam",
    verb: "get",
    resource: "nodes",
    title: "a node whose pod range was refused cannot be looked at, and gets its range later",
    flags: GIVES_RANGES,
    before: async (stage) => {
      await createNode(stage, stage.name, { taints: [] });
      return stage.cluster.refuse({
        name: `conformance-${stage.name}`,
        verb: "PATCH",
        node: stage.name,
        message: "somebody else gives pod ranges",
      });
    },
    shows: async (stage, _, lift) => {
      await isRefused(stage, { verb: "get", path: `/api/v1/nodes/${stage.name}` });
      await lift();
      await given(stage, [stage.name]);
    },
  },
  {
    id: "P-43",
    part: "node",
    verb: "patch",
    resource: "nodes",
    title: "a label that somebody took away stays away, and a Warning says why (N-23)",
    flags: { "--controllers": "cloud-node" },
    shows: async (stage) => {
      await nodeComes(stage);
      await patchNode(stage, stage.name, { metadata: { labels: { [ZONE[0]]: null } } });
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
      await nodeStays(stage, stage.name, {
        check: ({ metadata }) => same(metadata.labels?.[ZONE[0]], undefined, "the label"),
        forMs: SHORT_MS,
      });
    },
  },
  {
    id: "P-44",
    part: "route",
    verb: "patch",
    resource: "nodes/status",
    title: "a node with a route is not said to be reachable, and a Warning says why (R-01)",
    flags: ROUTE_FLAGS,
    shows: async (stage) => {
      await join(stage, stage.name, ["10.120.244.0/24"]);
      await warned(stage, stage.name, ["KubeForbidden", "nodes"]);
      await nodeStays(stage, stage.name, {
        check: (node) => hasCondition(node, undefined),
        forMs: SHORT_MS,
      });
    },
  },
  {
    id: "P-45",
    part: "node-ipam",
    verb: "patch",
    resource: "nodes",
    title: "a node gets no pod range, and a Warning says why (R-37)",
    flags: GIVES_RANGES,
    shows: async (stage) => {
      await createNode(stage, stage.name, { taints: [] });
      await warned(stage, stage.name, ["CIDRAssignmentFailed", "nodes"]);
      await nodeStays(stage, stage.name, {
        check: ({ spec }) => same(spec.podCIDRs, undefined, "its pod ranges"),
        forMs: SHORT_MS,
      });
    },
  },
];

const EVERY_ROW = [...ROWS, ...ALONE, ...VOLUME_RIGHTS, ...IDENTITY_RIGHTS];

/** What becomes of each right of `deploy/rbac` that is not granted: the rows that may run at once. */
export const TAKEN_RIGHTS: readonly Scenario[] = [
  {
    id: "P-00",
    title: "each right that each file of the shipped roles grants has a row that takes it away",
    run: async () => {
      const untried = shippedRights().filter(
        ({ part, identity, rule }) =>
          !EVERY_ROW.some(
            (row) => row.part === part && row.identity === identity && isAbout(rule, row),
          ),
      );
      same(untried, [], "rights without a row");
    },
  },
  ...ROWS.map(withoutRight),
  FOLLOWED_CLIENT_CA,
];

/** One after the other: two controllers with the same node or Service would hide what one lacks. */
export const TAKEN_RIGHTS_ALONE: readonly Scenario[] = ALONE.map(withoutRight);

/** One after the other as well: the service accounts of controllers are the cluster's. */
export const TAKEN_RIGHTS_OVER_VOLUMES: readonly Scenario[] = [
  ...VOLUME_RIGHTS,
  ...IDENTITY_RIGHTS,
].map(withoutRight);

/** Answers its machine's id. */
async function nodeComes(stage: Stage): Promise<string> {
  const { id } = await createInstance(stage, stage.name, { addresses: [addressOf(stage)] });
  await createNode(stage, stage.name);
  await initialised(stage, stage.name);
  return id;
}

async function nodeWaits(stage: Stage): Promise<void> {
  await createInstance(stage, stage.name, { addresses: [addressOf(stage)] });
  await createNode(stage, stage.name);
  await nodeStays(stage, stage.name, { check: keepsTaint, forMs: SHORT_MS });
}

function addressOf({ name }: Stage) {
  return internal(`10.240.${Number(name.slice(2))}.1`);
}

async function serviceWaits(stage: Stage): Promise<void> {
  await createMember(stage, stage.name);
  await createService(stage, stage.name);
  await eventually(() => void seenService(stage, stage.name), { on: stage.services });
  await always(() => same(finalizersOf(seenService(stage, stage.name)), [], "the finalizers"), {
    forMs: SHORT_MS,
  });
}

async function startLeader(stage: Stage): Promise<Undo> {
  const leader = await stage.start({ name: "leader", flags: SELDOM });
  await leaderAmong([leader]);
  return () => leader.stop();
}

/** Just after it has read the Lease the leader ends and releases it. */
async function releaseComesLate(stage: Stage, standby: Replica, release: Undo): Promise<void> {
  const path = leasePath({ name: stage.lease, namespace: "kube-system" });
  const reads = async () => {
    const seen = await stage.cluster.requestsOf(stage.name);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    return seen.filter((each) => each.verb === "get" && each.path.split("?")[0] === path).length;
  };
  const before = await eventually(async () => {
    const count = await reads();
    demand(count > 0, "it did not read the Lease yet");
    return count;
  });
  await eventually(async () => demand((await reads()) > before, "it did not read it again"), {
    withinMs: 60_000,
  });
  await release();
  same((await leaseOf(stage))?.spec.holderIdentity, "", "the holder of the Lease");
  await always(async () => same(await leads(standby), false, "that the standby leads"), {
    forMs: RELEASE_NOTICED_MS,
  });
  await eventually(async () => same(await leads(standby), true, "that it leads"), {
    withinMs: 60_000,
  });
}

/** Row H-10: a standby that is told of a release leads within so long. */
const RELEASE_NOTICED_MS = 5_000;

async function neverLeads(replica: Replica): Promise<void> {
  await always(async () => same(await leads(replica), false, "that it leads"), {
    forMs: SHORT_MS,
  });
  demand(!hasEnded(replica), "it ended");
}

function comesToLead(replica: Replica): Promise<void> {
  return eventually(async () => same(await leads(replica), true, "that it leads"));
}

/** As an earlier controller left it. */
async function makeRecord(stage: Stage): Promise<Undo> {
  const place = `/api/v1/namespaces/${apartNamespace(stage)}/configmaps`;
  await stage.kube.create(place, { metadata: { name: RECORD.name } });
  return () => stage.kube.delete(`${place}/${RECORD.name}`);
}

async function worksWithoutControls(stage: Stage, replica: Replica): Promise<void> {
  await nodeComes(stage);
  const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
  demand(/controls ok \(degraded/.test(health), `health says ${health}`);
}

interface Refused {
  readonly verb: string;
  readonly path: string;
}

/** What the row's controller asks and may not: H-26 has none of that. */
async function isRefused(stage: Stage, { verb, path }: Refused): Promise<void> {
  await eventually(async () => {
    const seen = await stage.cluster.requestsOf(stage.name);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    const refused = seen.filter(({ code }) => code === 403);
    demand(
      refused.some((each) => each.verb === verb && each.path.split("?")[0] === path),
      `no ${verb} ${path} among ${JSON.stringify(refused)}`,
    );
  });
}

function says(replica: Replica, pattern: RegExp): Promise<void> {
  return eventually(() =>
    demand(pattern.test(replica.output()), `it does not say ${pattern}: ${replica.output()}`),
  );
}

/** Not to be read as a verdict about the caller. */
async function refusesCaller(stage: Stage, replica: Replica): Promise<void> {
  const scraper = await accountToken(stage.kube, `${stage.name}-scraper`, [
    { nonResourceURLs: ["/configz"], verbs: ["get"] },
  ]);
  same((await replica.ask("/configz", scraper))?.status, 503, "the answer to the caller");
}
