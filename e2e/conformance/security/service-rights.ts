import { always, demand, same } from "../../harness/wait.ts";
import { ACCOUNTS_NAMESPACE } from "../clusters/accounts.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { createMember, createService, editService, served } from "../service/objects.ts";
import {
  ask,
  bound,
  claimNow,
  conditionsOf,
  createDisk,
  createVolume,
  diskNow,
  dropVolumes,
  placeOf,
  reportedOn,
  untilVolume,
  volumeNow,
} from "../volume/objects.ts";
import {
  losesEvents,
  right,
  SERVICES_ALONE,
  says,
  serviceWaits,
  type TakenRight,
  type TakenRightRow,
} from "./taken-right.ts";

/** Rights of the service controller. */
export const SERVICE_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-17",
    ...right("service-cache", "watch", "services"),
    title: "the watch of Services is interrupted, and it says so",
    flags: SERVICES_ALONE,
    shows: (_, replica) => says(replica, /The watch of services was interrupted/),
  },
];

const SYSTEM_NAMESPACE = "kube-system";

/** Likewise, on Services that other rows' controllers might also change. */
export const SERVICE_RIGHTS_ALONE: readonly TakenRightRow[] = [
  {
    id: "P-05",
    ...right("events", "patch", "events"),
    title: "what happens again is reported once, and counted as lost",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      const { name } = env;
      await createMember(env, name);
      await createService(env, name);
      await served(env, name);
      await editService(env, name, { spec: { ports: [{ name: "web", port: 81 }] } });
      await losesEvents(replica, "service-controller");
      const counts = env.events
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
    ...right("service-cache", "list", "services"),
    title: "no Service is served, and it is not ready",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      same((await replica.ask("/readyz"))?.status, 500, "the readiness");
    },
  },
  {
    id: "P-25",
    ...right("service", "patch", "services/status"),
    title: "a Service gets neither finalizer nor load balancer",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      await says(replica, /services.*forbidden|KubeForbidden/i);
    },
  },
  {
    id: "P-64",
    ...right("process", "get", "namespaces"),
    name: SYSTEM_NAMESPACE,
    title: "no Service is touched, as nothing could carry this cluster's mark, until it is granted",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      await says(replica, /Not started: the cluster's identity is unknown/);
      await grantNamespace(env);
      await served(env, env.name, 90_000);
      await says(replica, /The cluster's identity is now known/);
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(!health.includes("cluster-identity"), `health says ${health}`);
    },
  },
];

/** Grants the namespace like an operator who follows the log. */
async function grantNamespace({ kube, name, after }: IsolatedEnvironment): Promise<void> {
  const api = "/apis/rbac.authorization.k8s.io/v1";
  const metadata = { name: `conformance-${name}-namespace` };
  after(() => kube.delete(`${api}/clusterrolebindings/${metadata.name}`));
  after(() => kube.delete(`${api}/clusterroles/${metadata.name}`));
  await kube.create(`${api}/clusterroles`, {
    metadata,
    rules: [
      {
        apiGroups: [""],
        resources: ["namespaces"],
        resourceNames: [SYSTEM_NAMESPACE],
        verbs: ["get"],
      },
    ],
  });
  await kube.create(`${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name, namespace: ACCOUNTS_NAMESPACE }],
  });
}

const ALONE = {
  "--controllers": "volume-label-controller",
  "--volume-drift-period": "2s",
};
const SHORT_MS = 3_000;
const CORE_VOLUMES = { part: "volume-cache", resource: "persistentvolumes" };
const CLAIMS = { part: "volume-cache", resource: "persistentvolumeclaims" };
const CLASSES = { part: "volume-cache", group: "storage.k8s.io", resource: "storageclasses" };

/** Rows P-34 to P-41: what the process reads of volumes, and what it writes if all controllers use its identity. */
export const VOLUME_RIGHTS: readonly TakenRightRow[] = [
  {
    ...unlisted("P-34", CORE_VOLUMES),
    title: "no volume gets labels, and it is not ready (V-15)",
    shows: async (env, replica) => {
      await makeVolume(env);
      await unlabelled(env);
      await isUnready(replica);
    },
  },
  unwatched("P-35", CORE_VOLUMES),
  unlisted("P-36", CLAIMS),
  unwatched("P-37", CLAIMS),
  unlisted("P-38", CLASSES),
  unwatched("P-39", CLASSES),
  {
    id: "P-40",
    ...right("volume", "patch", "persistentvolumes"),
    title: "a volume gets no labels, and a Warning says why (V-15)",
    flags: ALONE,
    shows: staysUnlabelled,
  },
  {
    id: "P-41",
    ...right("volume", "patch", "persistentvolumeclaims/status"),
    title: "a claim whose disk has grown does not show it, and a Warning says why (V-18)",
    flags: ALONE,
    shows: growsUnreported,
  },
];

/** Checks that the volume exists, and that its Warning names what is forbidden. */
export async function staysUnlabelled(env: IsolatedEnvironment): Promise<void> {
  await makeVolume(env);
  await reportedOn(env, { kind: "PersistentVolume", name: env.name }, "KubeForbidden");
  await unlabelled(env);
}

/** Checks that the disk and its volume grow, but the claim gets no Event. */
export async function growsUnreported(env: IsolatedEnvironment): Promise<void> {
  const { name } = env;
  env.after(() => dropVolumes(env.kube));
  await bound(env, name, { disk: await createDisk(env, name), grows: true });
  await untilVolume(env, name, (volume) => same(placeOf(volume), ["z1", "r1"], "its labels"));
  await ask(env, name, "2Gi");
  await untilVolume(env, name, ({ spec }) => same(spec.capacity, { storage: "2Gi" }, "the volume"));
  await reportedOn(env, { kind: "PersistentVolume", name }, "KubeForbidden");
  await always(async () => same(conditionsOf(await claimNow(env, name)), [], "its conditions"), {
    forMs: SHORT_MS,
  });
}

export async function makeVolume(env: IsolatedEnvironment): Promise<string> {
  env.after(() => dropVolumes(env.kube));
  const { id } = await createDisk(env, env.name);
  await createVolume(env, env.name, { disk: id });
  return id;
}

type Read = Pick<TakenRight, "part" | "group" | "resource">;

function unlisted(id: string, read: Read): TakenRightRow {
  return {
    id,
    ...read,
    verb: "list",
    title: "no disk grows, and it is not ready (V-18)",
    flags: ALONE,
    shows: async (env, replica) => {
      const { name } = env;
      env.after(() => dropVolumes(env.kube));
      const disk = await createDisk(env, name);
      await bound(env, name, { disk, grows: true });
      await ask(env, name, "2Gi");
      await always(async () => same((await diskNow(env, disk)).sizeGiB, 1, "the disk"), {
        forMs: SHORT_MS,
      });
      await isUnready(replica);
    },
  };
}

async function isUnready(replica: Replica): Promise<void> {
  same((await replica.ask("/readyz"))?.status, 500, "the readiness");
}

function unwatched(id: string, read: Read): TakenRightRow {
  return {
    id,
    ...read,
    verb: "watch",
    title: "their mirror is interrupted, and it says so (H-26)",
    flags: ALONE,
    shows: (_, replica) =>
      says(replica, new RegExp(`The watch of ${read.resource} was interrupted`)),
  };
}

function unlabelled(env: IsolatedEnvironment): Promise<void> {
  return always(
    async () => same(placeOf(await volumeNow(env, env.name)), [undefined, undefined], "its labels"),
    { forMs: SHORT_MS },
  );
}
