import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
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
  toldOf,
  untilVolume,
  volumeNow,
} from "../volume/objects.ts";
import type { TakenRight, TakenRightRow } from "./taken-right.ts";

const ALONE = {
  "--controllers": "volume-label-controller",
  "--volume-drift-period": "2s",
};
const SHORT_MS = 3_000;
const CORE_VOLUMES = { part: "volume-cache", resource: "persistentvolumes" };
const CLAIMS = { part: "volume-cache", resource: "persistentvolumeclaims" };
const CLASSES = { part: "volume-cache", group: "storage.k8s.io", resource: "storageclasses" };

/** Rows P-34 to P-41: what the process reads of volumes, and what it writes when all controllers work as it. */
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
    part: "volume",
    verb: "patch",
    resource: "persistentvolumes",
    title: "a volume gets no labels, and a Warning says why (V-15)",
    flags: ALONE,
    shows: staysUnlabelled,
  },
  {
    id: "P-41",
    part: "volume",
    verb: "patch",
    resource: "persistentvolumeclaims/status",
    title: "a claim whose disk has grown does not show it, and a Warning says why (V-18)",
    flags: ALONE,
    shows: growsUntold,
  },
];

/** The volume is there, and its Warning names what is forbidden. */
export async function staysUnlabelled(env: IsolatedEnvironment): Promise<void> {
  await makeVolume(env);
  await toldOf(env, { kind: "PersistentVolume", name: env.name }, "KubeForbidden");
  await unlabelled(env);
}

/** The disk grows and its volume follows; the claim hears nothing of it. */
export async function growsUntold(env: IsolatedEnvironment): Promise<void> {
  const { name } = env;
  env.after(() => dropVolumes(env.kube));
  await bound(env, name, { disk: await createDisk(env, name), grows: true });
  await untilVolume(env, name, (volume) => same(placeOf(volume), ["z1", "r1"], "its labels"));
  await ask(env, name, "2Gi");
  await untilVolume(env, name, ({ spec }) => same(spec.capacity, { storage: "2Gi" }, "the volume"));
  await toldOf(env, { kind: "PersistentVolume", name }, "KubeForbidden");
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
    shows: (_, replica) => says(replica, `The watch of ${read.resource} was interrupted`),
  };
}

function unlabelled(env: IsolatedEnvironment): Promise<void> {
  return always(
    async () => same(placeOf(await volumeNow(env, env.name)), [undefined, undefined], "its labels"),
    { forMs: SHORT_MS },
  );
}

function says(replica: Replica, text: string): Promise<void> {
  return eventually(() =>
    demand(replica.output().includes(text), `it does not say "${text}": ${replica.output()}`),
  );
}
