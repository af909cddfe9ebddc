import { ProviderError } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { labelsOf } from "../objects/object-meta.ts";
import {
  claim,
  EXPRESSIONS,
  facts,
  LABELS,
  storageClass,
  volume,
} from "./testing/volume-fixture.ts";
import { DRIFT_PERIOD_MS, VolumeWorld, type VolumeWorldOptions } from "./testing/volume-world.ts";

const SET = { labels: LABELS, terms: [{ matchExpressions: EXPRESSIONS }] };
const ALL = "topology.kubernetes.io/zone topology.kubernetes.io/region nodeAffinity";

let world: VolumeWorld;

async function start(options: VolumeWorldOptions): Promise<VolumeWorld> {
  world = new VolumeWorld(options);
  return world.settle();
}

afterEach(() => world.stop());

describe("labelling", () => {
  it("is one look and one patch, and then nothing", async () => {
    await start({ volumes: [volume()] });
    expect(world.take()).toEqual({ calls: ["describe vol-1"], patches: [ALL], events: [] });
    expect(labelsOf(world.storage.volumes.of("pv-1"))).toEqual(LABELS);
    await world.settle(DRIFT_PERIOD_MS / 2);
    expect(world.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(world.state()).toMatchObject({ kind: "PersistentVolume", state: "ok", drift: "inStep" });
    expect(world.state()?.detail).toMatchObject({
      kind: "volume",
      volumeId: "vol-1",
      labels: { wanted: { zone: "z1", region: "r1" }, has: { zone: "z1", region: "r1" } },
      affinity: "set",
      sizeGiB: { cloud: 10, volume: 10 },
    });
  });

  it("leaves volumes of others alone, and never looks at them", async () => {
    await start({ volumes: [volume({ spec: { flexVolume: { driver: "other" } } })] });
    world.storage.volumes.edit("pv-1", (one) => ({
      ...one,
      metadata: { ...one.metadata, labels: { a: "b" } },
    }));
    await world.settle(DRIFT_PERIOD_MS * 2);
    expect(world.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(world.outcomes).toEqual([]);
  });

  it("puts labels right that somebody changed, by a look that the change asks for", async () => {
    await start({ volumes: [volume(SET)] });
    world.take();
    const labels = { ...LABELS, "topology.kubernetes.io/zone": "wrong" };
    world.storage.volumes.edit("pv-1", (one) => ({
      ...one,
      metadata: { ...one.metadata, labels },
    }));
    await world.settle();
    expect(world.take()).toMatchObject({
      calls: ["describe vol-1"],
      patches: ["topology.kubernetes.io/zone"],
    });
  });

  it("sees once a period that a disk was moved, and does not loop over what cannot be changed", async () => {
    await start({ volumes: [volume(SET)] });
    world.take();
    world.disk = facts({ zone: "z9" });
    await world.settle(DRIFT_PERIOD_MS);
    expect(world.take()).toMatchObject({
      calls: ["describe vol-1"],
      patches: ["topology.kubernetes.io/zone"],
    });
    expect(world.last()).toMatchObject({
      outcome: "blocked",
      reason: { code: "VolumeAffinityConflict", has: "z1", wanted: "z9" },
    });
    expect(world.state()).toMatchObject({ state: "stuck", drift: "drifted" });
    const runs = world.outcomes.length;
    await world.settle(DRIFT_PERIOD_MS / 2);
    expect(world.outcomes).toHaveLength(runs);
  });

  it("asks again for a disk that is not there", async () => {
    await start({ volumes: [volume()], disk: undefined });
    expect(world.last()).toMatchObject({ outcome: "failed", reason: { code: "VolumeNotFound" } });
    world.disk = facts();
    await world.settle(60_000);
    expect(world.take().patches).toEqual([ALL]);
  });

  it("looks and plans anew when somebody was faster", async () => {
    world = new VolumeWorld({ volumes: [volume()] });
    let isFirst = true;
    world.storage.onPatch = async () => {
      if (!isFirst) return;
      isFirst = false;
      world.storage.volumes.edit("pv-1", (one) => ({
        ...one,
        spec: { ...one.spec, nodeAffinity: volume(SET).spec?.nodeAffinity ?? {} },
      }));
    };
    await world.settle();
    expect(world.take().patches).toEqual([
      "topology.kubernetes.io/zone topology.kubernetes.io/region",
    ]);
    expect(world.last().outcome).toBe("changed");
  });
});

describe("growing", () => {
  const more = {
    volumes: [volume(SET)],
    claims: [claim({ asks: "15Gi" })],
    classes: [storageClass()],
  };

  it("grows the disk, then tells volume and claim, once", async () => {
    await start(more);
    expect(world.take()).toEqual({
      calls: ["describe vol-1", "grow vol-1 15"],
      patches: ["capacity", "claim conditions"],
      events: ["PersistentVolumeClaim data Normal VolumeResizeSuccessful"],
    });
    expect(world.state()).toMatchObject({
      state: "waiting",
      reason: { code: "VolumeFileSystemPending", sizeGiB: 15 },
    });
    await world.settle(DRIFT_PERIOD_MS);
    expect(world.take()).toMatchObject({ patches: [], events: [] });
  });

  it("is done when the kubelet has grown the file system", async () => {
    await start(more);
    world.storage.claims.edit("shop/data", (one) => ({
      ...one,
      status: { phase: "Bound", capacity: { storage: "15Gi" } },
    }));
    await world.settle();
    expect(world.last().reason.code).toBe("VolumeInStep");
  });

  it("looks at the disk of a claim that asks for more, whose size may be another by now", async () => {
    await start({ ...more, claims: [claim()] });
    expect(world.take().patches).toEqual([]);
    world.disk = facts({ sizeGiB: 12 });
    world.storage.claims.put({ ...claim({ asks: "13Gi" }) });
    await world.settle();
    expect(world.take()).toMatchObject({ calls: ["describe vol-1", "grow vol-1 13"] });
  });

  it("tells the claim once that the cloud refuses, and tries again", async () => {
    world = new VolumeWorld(more);
    let requests = 0;
    world.onGrow = async () => {
      requests += 1;
      const call = {
        provider: "p",
        operation: "PATCH /v1/volumes/{id}",
        requestId: `req-${requests}`,
      };
      throw new ProviderError("QuotaExceeded", "No room.", call);
    };
    await world.settle(10_000);
    const { calls, patches, events } = world.take();
    expect(calls.filter((one) => one.startsWith("grow")).length).toBeGreaterThan(1);
    expect(patches).toEqual([]);
    expect(events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning ProviderQuotaExceeded",
    ]);
    world.onGrow = () => Promise.resolve();
    await world.settle(300_000);
    expect(world.take().patches).toEqual(["capacity", "claim conditions"]);
  });

  it("tells the claim once that its disk is not there", async () => {
    await start({ ...more, disk: undefined });
    await world.settle(60_000);
    const { calls, events } = world.take();
    expect(calls.length).toBeGreaterThan(1);
    expect(events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning VolumeNotFound",
    ]);
  });

  it("heeds the class of a claim that names it as claims did before there was a field", async () => {
    const old = claim({ asks: "15Gi", storageClass: "" });
    const annotations = { "volume.beta.kubernetes.io/storage-class": "fast" };
    await start({ ...more, claims: [{ ...old, metadata: { ...old.metadata, annotations } }] });
    expect(world.take().calls).toEqual(["describe vol-1", "grow vol-1 15"]);
  });

  it("waits for a class that forbids it, and goes on when that allows it", async () => {
    await start({ ...more, classes: [storageClass(false)] });
    expect(world.last()).toMatchObject({
      outcome: "blocked",
      reason: { code: "ClaimNotExpandable" },
    });
    expect(world.take().events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning ClaimNotExpandable",
    ]);
    world.storage.classes.put(storageClass());
    await world.settle();
    expect(world.take().calls).toEqual(["describe vol-1", "grow vol-1 15"]);
  });

  it("asks the cloud of a provisioned volume only for its size", async () => {
    const annotations = { "pv.kubernetes.io/provisioned-by": "p.example" };
    await start({ ...more, volumes: [volume({ ...SET, annotations })], claims: [claim()] });
    expect(world.take().calls).toEqual([]);
    world.storage.claims.put(claim({ asks: "20Gi" }));
    await world.settle();
    expect(world.take().calls).toEqual(["describe vol-1", "grow vol-1 20"]);
  });
});

describe("people", () => {
  it("hold a volume, which is then neither asked for nor written, and release it", async () => {
    await start({ volumes: [volume()], disk: undefined });
    const until = world.clock.now() + 3_600_000;
    await world.ask({ kind: "hold", until });
    expect(world.last().state).toBe("held");
    expect(world.take().events).toContain("PersistentVolume pv-1 Normal Held");
    world.disk = facts();
    await world.settle(DRIFT_PERIOD_MS);
    expect(world.take()).toEqual({ calls: [], patches: [], events: [] });
    await world.ask({ kind: "release" });
    expect(world.take().patches).toContain(ALL);
  });

  it("set a hold by kubectl that a volume obeys from then on", async () => {
    const annotations = { [HOLD_ANNOTATION]: "moving it" };
    await start({ volumes: [volume({ annotations })] });
    expect(world.take()).toMatchObject({ calls: [], patches: [] });
    expect(world.state()?.state).toBe("held");
  });

  it("retry a volume at once, by a look of its own", async () => {
    await start({ volumes: [volume(SET)] });
    world.take();
    const report = await world.ask({ kind: "retry" });
    expect(report).toMatchObject({ kind: "ran", run: { outcome: "unchanged" } });
    expect(world.take().calls).toEqual(["describe vol-1"]);
  });
});
