import { demand, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { apartNamespace, losesEvents, type TakenRightRow, type Undo } from "./taken-right.ts";
import { NODES_ALONE, nodeComes, nodeWaits, SYSTEM, says } from "./taken-right-parts.ts";

const RECORD = { resource: "configmaps", name: "cloudwright-controls", ...SYSTEM };

/** What the process reads whatever it runs, its Events and its control record. */
export const PROCESS_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-01",
    part: "process",
    verb: "get",
    resource: "namespaces",
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
    part: "process",
    verb: "list",
    resource: "nodes",
    title: "nothing is done, and it is not ready",
    flags: NODES_ALONE,
    shows: async (env, replica) => {
      await nodeWaits(env);
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
    shows: async (env, replica) => {
      await nodeComes(env);
      await losesEvents(replica, "cloud-node-controller");
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
];

/** As an earlier controller left it. */
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
