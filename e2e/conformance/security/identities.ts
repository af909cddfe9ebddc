import { KubeFailure } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import type { SeenRequest } from "../clusters/cluster-under-test.ts";
import { SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
import { type IsolatedEnvironment, isolatedRow } from "../environment/isolated.ts";
import { leaderAmong } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  patchNode,
  REGION,
} from "../environment/objects.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";
import { assignRanges, CLUSTER_CIDR, CREATED, condition } from "../route/objects.ts";
import { createService, served } from "../service/objects.ts";
import { ask, bound, createDisk, dropVolumes, placeOf, untilVolume } from "../volume/objects.ts";
import { IDENTITY_PARTS } from "./identity-rights.ts";

const OWN_IDENTITIES = {
  "--use-service-account-credentials": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": CLUSTER_CIDR,
  "--controllers": "*,volume-label-controller",
};
const LABEL = REGION[0];

/** Row H-25: `--use-service-account-credentials`. */
export const IDENTITIES: Scenario = isolatedRow(
  "H-25",
  "each controller writes as a service account of its own that is made on demand, the process itself may write none of their objects, and nothing is refused",
  async (env) => {
    const began = Date.now();
    const kubeconfig = await env.accountOfItsOwn(ROOT, {
      parts: IDENTITY_PARTS,
      controllers: true,
    });
    const replica = await env.start({ kubeconfig, flags: OWN_IDENTITIES });
    await leaderAmong([replica]);
    await createInstance(env, "h-25", { addresses: [internal("10.225.0.1")] });
    await createNode(env, "h-25");
    await initialised(env, "h-25");
    await assignRanges(env, "h-25", ["10.120.225.0/24"]);
    await condition(env, "h-25", CREATED);
    await createService(env, "h-25");
    await served(env, "h-25");
    env.after(() => dropVolumes(env.kube));
    await bound(env, "h-25", { disk: await createDisk(env, "h-25"), grows: true });
    await untilVolume(env, "h-25", (volume) => same(placeOf(volume), ["z1", "r1"], "its labels"));
    await ask(env, "h-25", "2Gi");
    await eventually(async () => {
      const nodes = await seenOf(env, "node-controller");
      wrote(nodes, "/api/v1/nodes/h-25/status");
      wrote(nodes, "/api/v1/nodes/h-25");
      wrote(nodes, "/api/v1/namespaces/default/events");
      const services = await seenOf(env, "service-controller");
      wrote(services, "/api/v1/namespaces/default/services/h-25/status");
      wrote(services, "/api/v1/namespaces/default/events");
      wrote(await seenOf(env, "route-controller"), "/api/v1/nodes/h-25/status");
      const volumes = await seenOf(env, "volume-controller");
      wrote(volumes, "/api/v1/persistentvolumes/h-25");
      wrote(volumes, "/api/v1/namespaces/default/persistentvolumeclaims/h-25/status");
      wrote(volumes, "/api/v1/namespaces/default/events");
    });
    const root = recorded(await env.cluster.requestsOf(ROOT, SHIPPED_ACCOUNTS));
    const theirs = root.filter(
      ({ verb, path }) =>
        !READS.has(verb) && /\/(nodes|services|persistentvolume[a-z]*)(\/|\?|$)/.test(path),
    );
    same(theirs, [], "writes of the controllers' objects as the process itself");
    wrote(root, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
    for (const account of ACCOUNTS) {
      wrote(root, `/api/v1/namespaces/kube-system/serviceaccounts/${account}/token`);
      demand(await exists(env, account), `there is no service account ${account}`);
    }
    await comesBack(env, "node-controller");
    const own = await Promise.all(ACCOUNTS.map((account) => seenOf(env, account)));
    const all = [...root, ...own.flat()];
    same(
      all.filter(({ at, code }) => at >= began && code === 403),
      [],
      "requests that were forbidden",
    );
  },
);

const ROOT = "h-25-root";
const ACCOUNTS = ["node-controller", "service-controller", "route-controller", "volume-controller"];

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

/** A deleted account takes its tokens with it: the controller makes both anew as soon as it is refused. */
async function comesBack(env: IsolatedEnvironment, account: string): Promise<void> {
  await env.kube.delete(pathOf(account));
  await eventually(async () => {
    // Something to write for the controller: an API server may know the old token for some seconds more.
    await patchNode(env, "h-25", { metadata: { labels: { [LABEL]: null } } });
    demand(await exists(env, account), `the service account ${account} was not made again`);
  });
  await eventually(() =>
    same(env.nodes.get("h-25")?.metadata.labels?.[LABEL], "r1", "the label that was taken away"),
  );
}

async function exists({ kube }: IsolatedEnvironment, account: string): Promise<boolean> {
  try {
    await kube.get(pathOf(account));
    return true;
  } catch (error) {
    if (error instanceof KubeFailure && error.status === 404) return false;
    throw error;
  }
}

function pathOf(account: string): string {
  return `/api/v1/namespaces/kube-system/serviceaccounts/${account}`;
}

async function seenOf(
  { cluster }: IsolatedEnvironment,
  account: string,
): Promise<readonly SeenRequest[]> {
  return recorded(await cluster.requestsOf(account, "kube-system"));
}

function recorded(seen: readonly SeenRequest[] | undefined): readonly SeenRequest[] {
  if (seen === undefined) throw new Skip("this cluster keeps no record of who wrote what");
  return seen;
}

function wrote(seen: readonly SeenRequest[], path: string): void {
  const isIt = ({ verb, code, ...request }: SeenRequest) =>
    !READS.has(verb) && code < 300 && request.path.split("?")[0] === path;
  demand(seen.some(isIt), `no write to ${path} among ${seen.length} requests`);
}
