import { always, demand, eventually, same } from "../../harness/wait.ts";
import { isolatedRows } from "../environment/isolated.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  ask,
  bound,
  type Claim,
  claimNow,
  conditionsOf,
  createDisk,
  createVolume,
  diskNow,
  placeOf,
  REGION,
  reportedOn,
  type Term,
  termsOf,
  untilVolume,
  VOLUMES,
  volumeNow,
  within,
  ZONE,
} from "./objects.ts";

export const VOLUME_DRIFT_PERIOD_MS = 2_000;
const IN_Z1: readonly Term[] = [{ matchExpressions: [within(ZONE, "z1"), within(REGION, "r1")] }];

/** Rows about volumes that no webhook has seen, with only the loop. V-18 and following are ours: growth and holds. */
export const VOLUME_LOOP: readonly Scenario[] = rows({
  "V-15 a volume that missed the webhook is labelled later, with its affinity, by one patch":
    async (env) => {
      const { id } = await createDisk(env, "v-15");
      await createVolume(env, "v-15", { disk: id });
      const volume = await untilVolume(env, "v-15", (now) =>
        same(placeOf(now), ["z1", "r1"], "its labels"),
      );
      same(termsOf(volume), IN_Z1, "its terms");
      await writtenTimes(env, "v-15", 1);
    },
  "V-16 a volume with an affinity of others gets labels alone, and no patch is refused": async (
    env,
  ) => {
    const { id } = await createDisk(env, "v-16");
    const terms = [{ matchExpressions: [within("disk", "ssd")] }];
    await createVolume(env, "v-16", { disk: id, terms });
    await untilVolume(env, "v-16", (now) => same(placeOf(now), ["z1", "r1"], "its labels"));
    await always(async () => same(termsOf(await volumeNow(env, "v-16")), terms, "its terms"), {
      forMs: 2 * VOLUME_DRIFT_PERIOD_MS,
    });
    await writtenTimes(env, "v-16", 1);
  },
  "V-17 a disk that was moved has its label followed, and its affinity reported, not looped over":
    async (env) => {
      const { id } = await createDisk(env, "v-17");
      await createVolume(env, "v-17", { disk: id });
      await untilVolume(env, "v-17", (now) => same(termsOf(now), IN_Z1, "its terms"));
      await env.cloud.v1("PATCH", `/v1/volumes/${id}`, { zone: "z9" });
      await untilVolume(env, "v-17", (now) => same(placeOf(now), ["z9", "r1"], "its labels"));
      await reportedOn(env, { kind: "PersistentVolume", name: "v-17" }, "VolumeAffinityConflict");
      await always(async () => same(termsOf(await volumeNow(env, "v-17")), IN_Z1, "its terms"), {
        forMs: 2 * VOLUME_DRIFT_PERIOD_MS,
      });
      await writtenTimes(env, "v-17", 2);
    },
  "V-18 a claim that asks for more gets a larger disk, rounded up, and waits for its file system":
    async (env) => {
      const disk = await createDisk(env, "v-18");
      await bound(env, "v-18", { disk, grows: true });
      await ask(env, "v-18", "2500Mi");
      const claim = await untilClaim(env, "v-18", (now) =>
        same(conditionsOf(now), ["FileSystemResizePending True"], "its conditions"),
      );
      same(claim.status.capacity, { storage: "1Gi" }, "its capacity, which is the kubelet's");
      same((await volumeNow(env, "v-18")).spec.capacity, { storage: "3Gi" }, "the volume");
      same((await diskNow(env, disk)).sizeGiB, 3, "the disk");
      await reportedOn(env, { kind: CLAIM, name: "v-18" }, "VolumeResizeSuccessful");
    },
  "V-19 a claim of a block device has its new size at once": async (env) => {
    const disk = await createDisk(env, "v-19");
    await bound(env, "v-19", { disk, grows: true, spec: { volumeMode: "Block" } });
    await ask(env, "v-19", "2Gi");
    const claim = await untilClaim(env, "v-19", (now) =>
      same(now.status.capacity, { storage: "2Gi" }, "its capacity"),
    );
    same(conditionsOf(claim), [], "its conditions");
    same((await diskNow(env, disk)).sizeGiB, 2, "the disk");
  },
  "V-20 a claim whose class forbids growth has an Event that says so, and no disk grows": async (
    env,
  ) => {
    const disk = await createDisk(env, "v-20");
    await bound(env, "v-20", { disk, grows: false, asks: "5Gi" });
    await reportedOn(env, { kind: CLAIM, name: "v-20" }, "VolumeResizeFailed");
    await reportedOn(env, { kind: "PersistentVolume", name: "v-20" }, "ClaimNotExpandable");
    await always(async () => same((await diskNow(env, disk)).sizeGiB, 1, "the disk"), {
      forMs: 2 * VOLUME_DRIFT_PERIOD_MS,
    });
  },
  "V-21 a disk that the cloud refuses to grow leaves volume and claim as they are, is reported, and grows later":
    async (env) => {
      const disk = await createDisk(env, "v-21");
      await bound(env, "v-21", { disk, grows: true });
      const path = `/v1/volumes/${disk.id}`;
      const lift = await env.cloud.fault({
        method: "PATCH",
        path,
        status: 409,
        code: "quota_exceeded",
      });
      await ask(env, "v-21", "2Gi");
      await reportedOn(env, { kind: CLAIM, name: "v-21" }, "VolumeResizeFailed");
      same((await volumeNow(env, "v-21")).spec.capacity, { storage: "1Gi" }, "the volume");
      await lift();
      await untilVolume(env, "v-21", ({ spec }) =>
        same(spec.capacity, { storage: "2Gi" }, "the volume"),
      );
      same((await diskNow(env, disk)).sizeGiB, 2, "the disk");
    },
  "V-22 a volume that is held gets nothing written until it is released": async (env) => {
    const { id } = await createDisk(env, "v-22");
    const annotations = { "cloudwright.io/hold": "it is being moved" };
    await createVolume(env, "v-22", { disk: id, annotations });
    await always(
      async () => same(placeOf(await volumeNow(env, "v-22")), [undefined, undefined], "its labels"),
      { forMs: 2 * VOLUME_DRIFT_PERIOD_MS },
    );
    await env.kube.patch(`${VOLUMES}/v-22`, "merge", {
      metadata: { annotations: { "cloudwright.io/hold": null } },
    });
    await untilVolume(env, "v-22", (now) => same(placeOf(now), ["z1", "r1"], "its labels"));
  },
});

/** With the loop and the webhook, and a cloud that does not respond for a while. */
export const SLOW_ADMISSION: readonly Scenario[] = rows({
  "V-23 while the cloud is slow a volume is let in, and labelled as soon as the cloud answers":
    async (env) => {
      const { id } = await createDisk(env, "v-23");
      const lift = env.relay.rule({
        fits: ({ method, path }) => method === "GET" && path.startsWith("/v1/volumes"),
        strike: () => "hang",
      });
      const began = Date.now();
      const volume = await createVolume(env, "v-23", { disk: id });
      const tookMs = Date.now() - began;
      same(placeOf(volume), [undefined, undefined], "its labels");
      demand(tookMs < 5_000, `its creation took ${tookMs} ms`);
      lift();
      await untilVolume(env, "v-23", (now) => same(placeOf(now), ["z1", "r1"], "its labels"));
      same(termsOf(await volumeNow(env, "v-23")), IN_Z1, "its terms");
    },
});

export const VOLUME_RESTARTS: readonly Scenario[] = isolatedRows({
  "V-24 a growth that was killed after the disk grew is carried on once": async (env) => {
    const { relay, config } = await env.relayedCloud();
    const flags = { "--controllers": "volume-label-controller", "--leader-elect": "false" };
    const first = await env.start({ name: "a", flags, cloudConfig: config });
    const disk = await createDisk(env, "v-24");
    await bound(env, "v-24", { disk, grows: true });
    await untilVolume(env, "v-24", (now) => same(placeOf(now), ["z1", "r1"], "its labels"));
    relay.onHandled(({ method, path }) => {
      if (method === "PATCH" && path.startsWith("/v1/volumes")) first.child.kill("SIGKILL");
    });
    await ask(env, "v-24", "4Gi");
    same(await first.ended, "SIGKILL", "how the first ended");
    same((await diskNow(env, disk)).sizeGiB, 4, "the disk");
    same((await volumeNow(env, "v-24")).spec.capacity, { storage: "1Gi" }, "the volume");
    relay.onHandled(() => undefined);
    relay.forget();
    await env.start({ name: "b", flags, cloudConfig: config });
    await untilClaim(env, "v-24", (now) =>
      same(conditionsOf(now), ["FileSystemResizePending True"], "its conditions"),
    );
    same((await volumeNow(env, "v-24")).spec.capacity, { storage: "4Gi" }, "the volume");
    const grown = relay.calls.filter(({ method }) => method !== "GET");
    same(grown.length, 0, "writes to the cloud by the second");
  },
});

const CLAIM = "PersistentVolumeClaim";

function untilClaim(
  env: Parameters<typeof claimNow>[0],
  name: string,
  check: (claim: Claim) => void,
): Promise<Claim> {
  return eventually(async () => {
    const claim = await claimNow(env, name);
    check(claim);
    return claim;
  });
}

/** Only if requests are recorded. */
async function writtenTimes(
  { cluster }: SharedEnvironment,
  name: string,
  wanted: number,
): Promise<void> {
  const writes = await cluster.writes("persistentvolumes", name);
  if (writes !== undefined) same(writes, wanted, `writes to ${name}`);
}
