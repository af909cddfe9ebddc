import { KubeFailure } from "../../harness/kube.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import type { SeenRequest } from "../clusters/cluster-under-test.ts";
import { SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
import { type IsolatedEnvironment, isolatedRow, type Replica } from "../environment/isolated.ts";
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
import {
  ask,
  bound,
  createDisk,
  dropVolumes,
  placeOf,
  reportedOn,
  untilVolume,
} from "../volume/objects.ts";
import { growsUnreported, makeVolume, staysUnlabelled } from "./service-rights.ts";
import { losesEvents, type TakenRight, type TakenRightRow, type Undo } from "./taken-right.ts";

/** The identity whose rights we ship: clusters have roles for the others (spec/00 §15). */
const IDENTITY = "volume-controller";
const ACCOUNT = `/api/v1/namespaces/kube-system/serviceaccounts/${IDENTITY}`;

/** The roles that docs/install.md applies for --use-service-account-credentials: none of them writes nodes, Services or volumes. */
export const IDENTITY_PARTS = [
  "process",
  "events",
  "leader-election",
  "control-record",
  "service-cache",
  "volume-cache",
  "https-authentication",
  "https-authorization",
  "controller-identities",
] as const;

const SHARED = {
  part: "controller-identities",
  parts: IDENTITY_PARTS,
  flags: {
    "--use-service-account-credentials": "true",
    "--controllers": "volume-label-controller",
    "--volume-drift-period": "2s",
  },
};

/** Rows P-46 to P-52: the rights to give controllers their own identities, and the rights of the identity that we ship. */
export const IDENTITY_RIGHTS: readonly TakenRightRow[] = [
  {
    ...beginning("P-46", { verb: "create", resource: "serviceaccounts" }),
    title:
      "a controller whose service account is not there ends the process, which says what to grant (H-25)",
    before: removeAccount,
  },
  beginning("P-47", { verb: "get", resource: "serviceaccounts" }),
  beginning("P-48", { verb: "create", resource: "serviceaccounts/token" }),
  {
    ...SHARED,
    identity: IDENTITY,
    id: "P-49",
    verb: "create",
    resource: "events",
    title: "a volume is labelled, and its Events are counted as lost (H-25)",
    shows: async (env, replica) => {
      const disk = await labelled(env);
      await move(env, disk, "z9");
      await losesEvents(replica, "volume-label-controller");
    },
  },
  {
    ...SHARED,
    identity: IDENTITY,
    id: "P-50",
    verb: "patch",
    resource: "events",
    title: "what happens again is reported once, and counted as lost (H-25)",
    shows: async (env, replica) => {
      const disk = await labelled(env);
      await move(env, disk, "z9");
      await reportedOn(env, { kind: "PersistentVolume", name: env.name }, "VolumeAffinityConflict");
      await move(env, disk, "z1");
      await move(env, disk, "z9");
      await losesEvents(replica, "volume-label-controller");
    },
  },
  {
    ...SHARED,
    identity: IDENTITY,
    id: "P-51",
    verb: "patch",
    resource: "persistentvolumes",
    title: "a volume gets no labels, and a Warning says why (H-25)",
    shows: staysUnlabelled,
  },
  {
    ...SHARED,
    identity: IDENTITY,
    id: "P-52",
    verb: "patch",
    resource: "persistentvolumeclaims/status",
    title: "a claim whose disk has grown does not show it, and a Warning says why (H-25)",
    shows: growsUnreported,
  },
];

/** Without this right, no controller gets a token, and none starts. */
function beginning(id: string, right: Pick<TakenRight, "verb" | "resource">): TakenRightRow {
  return {
    ...SHARED,
    id,
    ...right,
    title: "the process ends with 255, and says what to grant (H-25)",
    ends: true,
    shows: async (_, replica) => endsWithoutIdentity(replica),
  };
}

async function endsWithoutIdentity(replica: Replica): Promise<void> {
  same(await replica.ended, 255, `the exit code (${replica.output()})`);
  const lines = replica.output().split("\n");
  const reported = lines.find((line) => /ERROR.*cannot start/.test(line)) ?? "";
  for (const part of [
    `kube-system/${IDENTITY} returned no token`,
    "apply the kustomize component deploy/rbac/service-account-credentials",
    "grant this process get and create of serviceaccounts and create of serviceaccounts/token",
  ])
    demand(reported.includes(part), `it does not say "${part}": ${lines.slice(-8).join("\n")}`);
}

/** The next process with the right creates it again. */
async function removeAccount({ kube }: IsolatedEnvironment): Promise<Undo> {
  await kube.delete(ACCOUNT).catch((error: unknown) => {
    if (!(error instanceof KubeFailure && error.status === 404)) throw error;
  });
  return async () => undefined;
}

async function labelled(env: IsolatedEnvironment): Promise<string> {
  const id = await makeVolume(env);
  await isIn(env, "z1");
  return id;
}

async function move(env: IsolatedEnvironment, disk: string, zone: string): Promise<void> {
  await env.cloud.v1("PATCH", `/v1/volumes/${disk}`, { zone });
  await isIn(env, zone);
}

async function isIn(env: IsolatedEnvironment, zone: string): Promise<void> {
  await untilVolume(env, env.name, (volume) => same(placeOf(volume), [zone, "r1"], "its labels"));
}

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

/** Deleting an account invalidates its tokens: the controller creates both again as soon as it is refused. */
async function comesBack(env: IsolatedEnvironment, account: string): Promise<void> {
  await env.kube.delete(pathOf(account));
  await eventually(async () => {
    // Gives the controller something to write, since an API server may accept the old token for some more seconds.
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
