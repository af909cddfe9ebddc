import { KubeFailure } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { placeOf, toldOf, untilVolume } from "../volume/objects.ts";
import { losesEvents, type TakenRight, type TakenRightRow, type Undo } from "./taken-right.ts";
import { growsUntold, makeVolume, staysUnlabelled } from "./volume-rights.ts";

/** The one whose rights are ours to ship: clusters have roles for the others (spec/00 §15). */
const IDENTITY = "volume-controller";
const ACCOUNT = `/api/v1/namespaces/kube-system/serviceaccounts/${IDENTITY}`;

/** What docs/install.md says to apply with --use-service-account-credentials: nothing that writes nodes, Services or volumes. */
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

/** Rows P-46 to P-52: the rights by which controllers get identities of their own, and those of the identity that we ship. */
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
    title: "what happens again is told once, and counted as lost (H-25)",
    shows: async (env, replica) => {
      const disk = await labelled(env);
      await move(env, disk, "z9");
      await toldOf(env, { kind: "PersistentVolume", name: env.name }, "VolumeAffinityConflict");
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
    shows: growsUntold,
  },
];

/** Without it no controller gets a token, and none starts. */
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
  const told = lines.find((line) => /ERROR.*cannot start/.test(line)) ?? "";
  for (const part of [
    `kube-system/${IDENTITY} returned no token`,
    "apply the kustomize component deploy/rbac/service-account-credentials",
    "grant this process get and create of serviceaccounts and create of serviceaccounts/token",
  ])
    demand(told.includes(part), `it does not say "${part}": ${lines.slice(-8).join("\n")}`);
}

/** The next process that may make it does. */
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
