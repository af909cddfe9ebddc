import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { leaderAmong, leads, leaseOf, leasePath } from "../environment/leading.ts";
import { Skip } from "../environment/scenario.ts";
import {
  apartNamespace,
  losesEvents,
  NODES_ALONE,
  nodeComes,
  nodeWaits,
  right,
  SHORT_MS,
  SYSTEM,
  says,
  type TakenRightRow,
  type Undo,
  WITHOUT_SERVICES,
} from "./taken-right.ts";

const NO_DATABASE = "postgres://nobody@127.0.0.1:1/none";
const RECORD = { resource: "configmaps", name: "cloudwright-controls", ...SYSTEM };

/** Rights for what the process always reads, for its Events and for its control record. */
export const PROCESS_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-01",
    ...right("process", "get", "namespaces"),
    name: "kube-system",
    title: "nodes are served all the same, and it says once that the cluster's identity is unknown",
    flags: NODES_ALONE,
    shows: async (env, replica) => {
      await nodeComes(env);
      const said = replica.output().match(/Grant get on the namespace kube-system/g);
      same(said?.length, 1, "how often it says so");
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(/cluster-identity ok \(degraded/.test(health), `health says ${health}`);
    },
  },
  {
    id: "P-02",
    ...right("process", "list", "nodes"),
    title: "nothing is done, and it is not ready",
    flags: NODES_ALONE,
    shows: async (env, replica) => {
      await nodeWaits(env);
      same((await replica.ask("/readyz"))?.status, 500, "the readiness");
    },
  },
  {
    id: "P-03",
    ...right("process", "watch", "nodes"),
    title: "the watch of nodes is interrupted, and it says so",
    flags: NODES_ALONE,
    shows: (_, replica) => says(replica, /The watch of nodes was interrupted/),
  },
  {
    id: "P-04",
    ...right("events", "create", "events"),
    title: "a node is initialised, and its Events are counted as lost",
    flags: NODES_ALONE,
    shows: async (env, replica) => {
      await nodeComes(env);
      await losesEvents(replica, "cloud-node-controller");
    },
  },
  ...(["list", "watch"] as const).map((verb, index) => ({
    id: `P-${71 + index}`,
    ...right("watched-events", verb, "events"),
    title: "a node is initialised, and it says which rule is missing for the Events of others",
    // Events are watched only with a ledger; it makes no difference here that it cannot be reached.
    flags: { ...NODES_ALONE, "--watch-events": "true", "--database-url": NO_DATABASE },
    shows: async (env: IsolatedEnvironment, replica: Replica) => {
      await nodeComes(env);
      await says(replica, /not recorded: grant list and watch on events/);
    },
  })),
  {
    id: "P-11",
    ...right("control-record", "create", "configmaps"),
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
];

/** Creates the record as left by an earlier controller. */
async function makeRecord(env: IsolatedEnvironment): Promise<Undo> {
  const place = `/api/v1/namespaces/${apartNamespace(env)}/configmaps`;
  await env.kube.create(place, { metadata: { name: RECORD.name } });
  return () => env.kube.delete(`${place}/${RECORD.name}`);
}

async function worksWithoutControls(env: IsolatedEnvironment, replica: Replica): Promise<void> {
  await nodeComes(env);
  const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
  demand(/controls ok \(degraded/.test(health), `health says ${health}`);
}

const LEASE = { group: "coordination.k8s.io", resource: "leases", ...SYSTEM };
const ELECTS = {
  ...WITHOUT_SERVICES,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "4s",
  "--leader-elect-renew-deadline": "3s",
  "--leader-elect-retry-period": "1s",
};
/** A standby that reads the Lease so rarely that anything it notices earlier must come from a notification. */
const SELDOM = {
  ...WITHOUT_SERVICES,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "40s",
  "--leader-elect-renew-deadline": "30s",
  "--leader-elect-retry-period": "12s",
};

/** Rights on the Lease. */
export const ELECTION_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-06",
    part: "leader-election",
    verb: "create",
    ...LEASE,
    title: "no process can lead if the Lease does not exist",
    flags: ELECTS,
    shows: async (env, replica) => {
      await neverLeads(replica);
      same(await leaseOf(env), undefined, "the Lease");
    },
  },
  {
    id: "P-07",
    part: "leader-election",
    verb: "get",
    ...LEASE,
    title: "no process can lead",
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
];

async function startLeader(env: IsolatedEnvironment): Promise<Undo> {
  const leader = await env.start({ name: "leader", flags: SELDOM });
  await leaderAmong([leader]);
  return () => leader.stop();
}

/** The leader ends and releases the Lease just after the standby has read it. */
async function releaseComesLate(
  env: IsolatedEnvironment,
  standby: Replica,
  release: Undo,
): Promise<void> {
  const path = leasePath({ name: env.lease, namespace: "kube-system" });
  const reads = async () => {
    const seen = await env.cluster.requestsOf(env.name);
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
  same((await leaseOf(env))?.spec.holderIdentity, "", "the holder of the Lease");
  await always(async () => same(await leads(standby), false, "that the standby leads"), {
    forMs: RELEASE_NOTICED_MS,
  });
  await eventually(async () => same(await leads(standby), true, "that it leads"), {
    withinMs: 60_000,
  });
}

/** Row H-10: the time within which a standby that is notified of a release leads. */
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
