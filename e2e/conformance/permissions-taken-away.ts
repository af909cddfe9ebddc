import { hasEnded } from "../harness/controller.ts";
import { always, demand, eventually, same } from "../harness/wait.ts";
import { accountToken } from "./accounts.ts";
import { leads, leaseOf } from "./leading.ts";
import {
  createInstance,
  createNode,
  hasTaint,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
  SHUTDOWN_KEY,
  setReady,
} from "./objects.ts";
import type { Scenario } from "./scenario.ts";
import { createMember, createService, finalizersOf, seenService } from "./service-objects.ts";
import { isRole, shippedRoles } from "./shipped-roles.ts";
import type { Replica, Stage } from "./stage.ts";
import { isAbout, type TakenRightRow, withoutRight } from "./taken-right.ts";
import { warned } from "./told.ts";

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
const GUARDED = {
  ...NOBODY,
  "--authorization-always-allow-paths": "/healthz,/readyz,/livez,/metrics",
};
const SHORT_MS = 3_000;

const ROWS: readonly TakenRightRow[] = [
  {
    id: "P-01",
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
    verb: "watch",
    resource: "nodes",
    title: "the mirror of nodes is interrupted, and it says so",
    flags: NODES_ALONE,
    shows: (_, replica) => says(replica, /The watch of nodes was interrupted/),
  },
  {
    id: "P-04",
    verb: "create",
    resource: "events",
    title: "a node is initialised, and its Events are counted as lost",
    flags: NODES_ALONE,
    shows: async (stage, replica) => {
      await nodeComes(stage);
      await eventually(async () => {
        const metrics = (await replica.ask("/metrics"))?.body ?? "";
        demand(/^cloudwright_events_dropped_total\{.*\} [1-9]/m.test(metrics), "no Event is lost");
      });
    },
  },
  {
    id: "P-05",
    verb: "patch",
    resource: "events",
    title: "a node is initialised all the same",
    flags: NODES_ALONE,
    shows: nodeComes,
  },
  {
    id: "P-06",
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
    verb: "get",
    ...LEASE,
    title: "nobody leads",
    flags: ELECTS,
    shows: (_, replica) => neverLeads(replica),
  },
  {
    id: "P-08",
    verb: "update",
    ...LEASE,
    title: "whoever made the Lease loses it and ends",
    flags: ELECTS,
    shows: async (_, replica) => same(await replica.ended, 1, "the exit code"),
  },
  {
    id: "P-09",
    verb: "list",
    ...LEASE,
    title: "it leads by reading the Lease at every retry",
    flags: ELECTS,
    shows: (_, replica) => comesToLead(replica),
  },
  {
    id: "P-10",
    verb: "watch",
    ...LEASE,
    title: "it leads by reading the Lease at every retry",
    flags: ELECTS,
    shows: (_, replica) => comesToLead(replica),
  },
  {
    id: "P-11",
    verb: "create",
    resource: "configmaps",
    ...SYSTEM,
    title: "the nodes are served all the same",
    flags: NODES_ALONE,
    shows: nodeComes,
  },
  {
    id: "P-12",
    verb: "get",
    ...RECORD,
    title: "health says that there are no controls, and the nodes are served",
    flags: NODES_ALONE,
    shows: async (stage, replica) => {
      await nodeComes(stage);
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(/controls ok \(degraded/.test(health), `health says ${health}`);
    },
  },
  {
    id: "P-13",
    verb: "update",
    ...RECORD,
    title: "the nodes are served all the same",
    flags: NODES_ALONE,
    shows: nodeComes,
  },
  {
    id: "P-14",
    verb: "update",
    resource: "nodes",
    title: "a node is initialised by a patch",
    flags: NODES_ALONE,
    shows: nodeComes,
  },
  {
    id: "P-15",
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
    verb: "watch",
    resource: "services",
    title: "the mirror of Services is interrupted, and it says so",
    flags: SERVICES_ALONE,
    shows: (_, replica) => says(replica, /The watch of services was interrupted/),
  },
  {
    id: "P-18",
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
    verb: "list",
    ...CLIENT_CA,
    title: "it works with the client CA of its start",
    flags: GUARDED,
    knowsCallers: true,
    shows: (_, replica) => isReady(replica),
  },
  {
    id: "P-22",
    verb: "watch",
    ...CLIENT_CA,
    title: "it works with the client CA of its start",
    flags: GUARDED,
    knowsCallers: true,
    shows: (_, replica) => isReady(replica),
  },
];

/** What happens to nodes and Services that other rows' controllers might touch as well. */
const ALONE: readonly TakenRightRow[] = [
  {
    id: "P-16",
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
    verb: "patch",
    resource: "services/status",
    title: "a Service gets neither finalizer nor balancer",
    flags: SERVICES_ALONE,
    shows: async (stage, replica) => {
      await serviceWaits(stage);
      await says(replica, /services.*forbidden|KubeForbidden/i);
    },
  },
];

const VOLUMES_ALONE = { "--controllers": "volume-label-controller" };

/** Of controllers that are off by default: that the lack is named, and the process lives. */
const NAMED: readonly TakenRightRow[] = [
  named("P-34", { verb: "list", resource: "persistentvolumes" }),
  named("P-35", { verb: "watch", resource: "persistentvolumes" }),
  named("P-36", { verb: "list", resource: "persistentvolumeclaims" }),
  named("P-37", { verb: "watch", resource: "persistentvolumeclaims" }),
  named("P-38", { verb: "list", group: "storage.k8s.io", resource: "storageclasses" }),
  named("P-39", { verb: "watch", group: "storage.k8s.io", resource: "storageclasses" }),
  named("P-40", { verb: "patch", resource: "persistentvolumes" }),
  named("P-41", { verb: "patch", resource: "persistentvolumeclaims/status" }),
  {
    ...named("P-42", { verb: "get", resource: "nodes" }),
    flags: {
      "--controllers": "node-ipam-controller",
      "--allocate-node-cidrs": "true",
      "--cluster-cidr": "10.242.0.0/16",
    },
  },
];

function named(id: string, right: Pick<TakenRightRow, "verb" | "group" | "resource">) {
  const row: TakenRightRow = {
    id,
    ...right,
    title: "it is named, and the process lives",
    flags: VOLUMES_ALONE,
    shows: async (_, replica) => {
      same((await replica.ask("/healthz"))?.status, 200, "the health");
      demand(!hasEnded(replica), "it ended");
    },
  };
  return row;
}

/** Row H-25 takes those away: without them nothing starts. */
const ELSEWHERE: ReadonlySet<string> = new Set(["controller-identities"]);

/** Rows P-00 to P-22, but for P-16, and P-34 to P-42: what becomes of each right of `deploy/rbac` that is not granted. */
export const TAKEN_RIGHTS: readonly Scenario[] = [
  {
    id: "P-00",
    title: "each right that the shipped roles grant has a row that takes it away",
    run: async () => {
      const untried = shippedRoles()
        .filter(({ part }) => !ELSEWHERE.has(part))
        .flatMap(({ objects }) => objects.filter(isRole).flatMap(({ rules }) => rules))
        .flatMap((rule) => rule.verbs.map((verb) => ({ ...rule, verbs: [verb] })))
        .filter((rule) => ![...ROWS, ...ALONE, ...NAMED].some((row) => isAbout(rule, row)));
      same(untried, [], "rights without a row");
    },
  },
  ...[...ROWS, ...NAMED].map(withoutRight),
];

/** Rows P-16 and P-23 to P-25, one after the other: two controllers with the same node or Service would hide what one lacks. */
export const TAKEN_RIGHTS_ALONE: readonly Scenario[] = ALONE.map(withoutRight);

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

async function neverLeads(replica: Replica): Promise<void> {
  await always(async () => same(await leads(replica), false, "that it leads"), {
    forMs: SHORT_MS,
  });
  demand(!hasEnded(replica), "it ended");
}

function comesToLead(replica: Replica): Promise<void> {
  return eventually(async () => same(await leads(replica), true, "that it leads"));
}

function isReady(replica: Replica): Promise<void> {
  return eventually(async () => same((await replica.ask("/readyz"))?.status, 200, "the readiness"));
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
