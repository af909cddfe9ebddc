import { KubeFailure } from "../harness/kube.ts";
import { demand, eventually, same } from "../harness/wait.ts";
import { accountToken, otherKubeconfig, type Rule } from "./accounts.ts";
import type { SeenRequest } from "./cluster-under-test.ts";
import { leaderAmong, leaseOf } from "./leading.ts";
import { createInstance, createNode, initialised, internal, patchNode, REGION } from "./objects.ts";
import { assignRanges, CLUSTER_CIDR, CREATED, condition } from "./route-objects.ts";
import { type Scenario, Skip } from "./scenario.ts";
import { createService, served } from "./service-objects.ts";
import { onStage, type Stage } from "./stage.ts";

const CORE = { apiGroups: [""] };
const TOKENS: Rule = { ...CORE, resources: ["serviceaccounts/token"], verbs: ["create"] };
/** What the process itself needs when each controller has an identity of its own (spec/00 §15); it may write no Node and no Service. */
const ROOT: readonly Rule[] = [
  { ...CORE, resources: ["namespaces"], verbs: ["get"] },
  { ...CORE, resources: ["events"], verbs: ["create", "patch", "update"] },
  { ...CORE, resources: ["nodes", "services"], verbs: ["list", "watch"] },
  { ...CORE, resources: ["serviceaccounts"], verbs: ["get", "create"] },
  { ...CORE, resources: ["configmaps"], verbs: ["get", "create", "update"] },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "list", "watch", "create", "update"],
  },
];
const OWN_IDENTITIES = {
  "--use-service-account-credentials": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": CLUSTER_CIDR,
};
const LABEL = REGION[0];

/** Row H-25: `--use-service-account-credentials`. */
export const IDENTITIES: Scenario = onStage(
  "H-25",
  "each controller writes as a service account of its own that is made on demand, the process itself writes none of their objects, and cannot start without the right to make tokens",
  async (stage) => {
    const kubeconfig = await configOf(stage, "h-25-root", [...ROOT, TOKENS]);
    const replica = await stage.start({ kubeconfig, flags: OWN_IDENTITIES });
    await leaderAmong([replica]);
    await createInstance(stage, "h-25", { addresses: [internal("10.225.0.1")] });
    await createNode(stage, "h-25");
    await initialised(stage, "h-25");
    await assignRanges(stage, "h-25", ["10.120.225.0/24"]);
    await condition(stage, "h-25", CREATED);
    await createService(stage, "h-25");
    await served(stage, "h-25");
    await eventually(async () => {
      const nodes = await seenOf(stage, "node-controller");
      wrote(nodes, "/api/v1/nodes/h-25/status");
      wrote(nodes, "/api/v1/nodes/h-25");
      wrote(nodes, "/api/v1/namespaces/default/events");
      const services = await seenOf(stage, "service-controller");
      wrote(services, "/api/v1/namespaces/default/services/h-25/status");
      wrote(services, "/api/v1/namespaces/default/events");
      wrote(await seenOf(stage, "route-controller"), "/api/v1/nodes/h-25/status");
    });
    const root = await requests(stage, "h-25-root");
    const theirs = root.filter(
      ({ verb, path }) => !READS.has(verb) && /\/(nodes|services)(\/|\?|$)/.test(path),
    );
    same(theirs, [], "writes of Nodes and Services as the process itself");
    wrote(root, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases");
    for (const account of ["node-controller", "service-controller", "route-controller"]) {
      wrote(root, `/api/v1/namespaces/kube-system/serviceaccounts/${account}/token`);
      demand(await exists(stage, account), `there is no service account ${account}`);
    }
    await comesBack(stage, "node-controller");
    const all = [...root, ...(await seenOf(stage, "node-controller"))];
    same(
      all.filter(({ code }) => code === 403),
      [],
      "requests that were forbidden",
    );
    await replica.stop();
    await endsWithoutTokens(stage);
  },
);

const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

async function endsWithoutTokens(stage: Stage): Promise<void> {
  const kubeconfig = await configOf(stage, "h-25-bare", ROOT);
  const bare = await stage.launch({ name: "b", kubeconfig, flags: OWN_IDENTITIES });
  same(await bare.ended, 255, `the exit code (${bare.output()})`);
  const lines = bare.output().split("\n");
  const told = lines.find((line) => /ERROR.*cannot start/.test(line)) ?? "";
  for (const part of [
    "kube-system/node-controller gave no token",
    "create of serviceaccounts/token",
  ])
    demand(told.includes(part), `it does not say "${part}": ${lines.slice(-8).join("\n")}`);
  same((await leaseOf(stage))?.spec.holderIdentity ?? "", "", "the Lease's holder");
}

async function configOf(stage: Stage, account: string, rules: readonly Rule[]): Promise<string> {
  const token = await accountToken(stage.kube, account, rules);
  return otherKubeconfig(stage.cluster.kubeconfig, { dir: stage.dir, name: account, token });
}

/** A deleted account takes its tokens with it: the controller makes both anew as soon as it is refused. */
async function comesBack(stage: Stage, account: string): Promise<void> {
  await stage.kube.delete(pathOf(account));
  await eventually(async () => {
    // Something to write for the controller: an API server may know the old token for some seconds more.
    await patchNode(stage, "h-25", { metadata: { labels: { [LABEL]: null } } });
    demand(await exists(stage, account), `the service account ${account} was not made again`);
  });
  await eventually(() =>
    same(stage.nodes.get("h-25")?.metadata.labels?.[LABEL], "r1", "the label that was taken away"),
  );
}

async function exists({ kube }: Stage, account: string): Promise<boolean> {
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

async function seenOf({ cluster }: Stage, account: string): Promise<readonly SeenRequest[]> {
  return recorded(await cluster.requestsOf(account, "kube-system"));
}

async function requests({ cluster }: Stage, account: string): Promise<readonly SeenRequest[]> {
  return recorded(await cluster.requestsOf(account));
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
