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
import {
  DRIFT_PERIOD_MS,
  VolumeFixture,
  type VolumeFixtureOptions,
} from "./testing/volume-loop-fixture.ts";

const SET = { labels: LABELS, terms: [{ matchExpressions: EXPRESSIONS }] };
const ALL = "topology.kubernetes.io/zone topology.kubernetes.io/region nodeAffinity";

let fixture: VolumeFixture;

async function start(options: VolumeFixtureOptions): Promise<VolumeFixture> {
  fixture = new VolumeFixture(options);
  return fixture.settle();
}

afterEach(() => fixture.stop());

describe("labelling", () => {
  it("takes one lookup and one patch, and then nothing", async () => {
    await start({ volumes: [volume()] });
    expect(fixture.take()).toEqual({ calls: ["describe vol-1"], patches: [ALL], events: [] });
    expect(labelsOf(fixture.storage.volumes.of("pv-1"))).toEqual(LABELS);
    await fixture.settle(DRIFT_PERIOD_MS / 2);
    expect(fixture.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(fixture.state()).toMatchObject({
      kind: "PersistentVolume",
      state: "ok",
      drift: "inStep",
    });
    expect(fixture.state()?.detail).toMatchObject({
      kind: "volume",
      volumeId: "vol-1",
      labels: { wanted: { zone: "z1", region: "r1" }, has: { zone: "z1", region: "r1" } },
      affinity: "set",
      sizeGiB: { cloud: 10, volume: 10 },
    });
  });

  it("leaves volumes of others alone, and never looks them up", async () => {
    await start({ volumes: [volume({ spec: { flexVolume: { driver: "other" } } })] });
    fixture.storage.volumes.edit("pv-1", (one) => ({
      ...one,
      metadata: { ...one.metadata, labels: { a: "b" } },
    }));
    await fixture.settle(DRIFT_PERIOD_MS * 2);
    expect(fixture.take()).toEqual({ calls: [], patches: [], events: [] });
    expect(fixture.outcomes).toEqual([]);
  });

  it("corrects labels that somebody changed, after a lookup for that change", async () => {
    await start({ volumes: [volume(SET)] });
    fixture.take();
    const labels = { ...LABELS, "topology.kubernetes.io/zone": "wrong" };
    fixture.storage.volumes.edit("pv-1", (one) => ({
      ...one,
      metadata: { ...one.metadata, labels },
    }));
    await fixture.settle();
    expect(fixture.take()).toMatchObject({
      calls: ["describe vol-1"],
      patches: ["topology.kubernetes.io/zone"],
    });
  });

  it("notices once a period that a disk was moved, and does not loop over what cannot be changed", async () => {
    await start({ volumes: [volume(SET)] });
    fixture.take();
    fixture.disk = facts({ zone: "z9" });
    await fixture.settle(DRIFT_PERIOD_MS);
    expect(fixture.take()).toMatchObject({
      calls: ["describe vol-1"],
      patches: ["topology.kubernetes.io/zone"],
    });
    expect(fixture.last()).toMatchObject({
      outcome: "blocked",
      reason: { code: "VolumeAffinityConflict", has: "z1", wanted: "z9" },
    });
    expect(fixture.state()).toMatchObject({ state: "stuck", drift: "drifted" });
    const runs = fixture.outcomes.length;
    await fixture.settle(DRIFT_PERIOD_MS / 2);
    expect(fixture.outcomes).toHaveLength(runs);
  });

  it("looks up again a disk that does not exist", async () => {
    await start({ volumes: [volume()], disk: undefined });
    expect(fixture.last()).toMatchObject({ outcome: "failed", reason: { code: "VolumeNotFound" } });
    fixture.disk = facts();
    await fixture.settle(60_000);
    expect(fixture.take().patches).toEqual([ALL]);
  });

  it("observes and plans again when somebody was faster", async () => {
    fixture = new VolumeFixture({ volumes: [volume()] });
    let isFirst = true;
    fixture.storage.onPatch = async () => {
      if (!isFirst) return;
      isFirst = false;
      fixture.storage.volumes.edit("pv-1", (one) => ({
        ...one,
        spec: { ...one.spec, nodeAffinity: volume(SET).spec?.nodeAffinity ?? {} },
      }));
    };
    await fixture.settle();
    expect(fixture.take().patches).toEqual([
      "topology.kubernetes.io/zone topology.kubernetes.io/region",
    ]);
    expect(fixture.last().outcome).toBe("changed");
  });
});

describe("growing", () => {
  const more = {
    volumes: [volume(SET)],
    claims: [claim({ asks: "15Gi" })],
    classes: [storageClass()],
  };

  it("grows the disk, then updates volume and claim, once", async () => {
    await start(more);
    expect(fixture.take()).toEqual({
      calls: ["describe vol-1", "grow vol-1 15"],
      patches: ["capacity", "claim conditions"],
      events: ["PersistentVolumeClaim data Normal VolumeResizeSuccessful"],
    });
    expect(fixture.state()).toMatchObject({
      state: "waiting",
      reason: { code: "VolumeFileSystemPending", sizeGiB: 15 },
    });
    await fixture.settle(DRIFT_PERIOD_MS);
    expect(fixture.take()).toMatchObject({ patches: [], events: [] });
  });

  it("is complete when the kubelet has grown the file system", async () => {
    await start(more);
    fixture.storage.claims.edit("shop/data", (one) => ({
      ...one,
      status: { phase: "Bound", capacity: { storage: "15Gi" } },
    }));
    await fixture.settle();
    expect(fixture.last().reason.code).toBe("VolumeInStep");
  });

  it("looks up the disk of a claim that asks for more, whose size may have changed", async () => {
    await start({ ...more, claims: [claim()] });
    expect(fixture.take().patches).toEqual([]);
    fixture.disk = facts({ sizeGiB: 12 });
    fixture.storage.claims.put({ ...claim({ asks: "13Gi" }) });
    await fixture.settle();
    expect(fixture.take()).toMatchObject({ calls: ["describe vol-1", "grow vol-1 13"] });
  });

  it("reports a refusal by the cloud once on the claim, and retries", async () => {
    fixture = new VolumeFixture(more);
    let requests = 0;
    fixture.onGrow = async () => {
      requests += 1;
      const call = {
        provider: "p",
        operation: "PATCH /v1/volumes/{id}",
        requestId: `req-${requests}`,
      };
      throw new ProviderError("QuotaExceeded", "No room.", call);
    };
    await fixture.settle(10_000);
    const { calls, patches, events } = fixture.take();
    expect(calls.filter((one) => one.startsWith("grow")).length).toBeGreaterThan(1);
    expect(patches).toEqual([]);
    expect(events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning ProviderQuotaExceeded",
    ]);
    fixture.onGrow = () => Promise.resolve();
    await fixture.settle(300_000);
    expect(fixture.take().patches).toEqual(["capacity", "claim conditions"]);
  });

  it("reports a missing disk once on the claim", async () => {
    await start({ ...more, disk: undefined });
    await fixture.settle(60_000);
    const { calls, events } = fixture.take();
    expect(calls.length).toBeGreaterThan(1);
    expect(events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning VolumeNotFound",
    ]);
  });

  it("respects the class of a claim that names it in the old annotation", async () => {
    const old = claim({ asks: "15Gi", storageClass: "" });
    const annotations = { "volume.beta.kubernetes.io/storage-class": "fast" };
    await start({ ...more, claims: [{ ...old, metadata: { ...old.metadata, annotations } }] });
    expect(fixture.take().calls).toEqual(["describe vol-1", "grow vol-1 15"]);
  });

  it("waits for a class that forbids it, and continues when that allows it", async () => {
    await start({ ...more, classes: [storageClass(false)] });
    expect(fixture.last()).toMatchObject({
      outcome: "blocked",
      reason: { code: "ClaimNotExpandable" },
    });
    expect(fixture.take().events).toEqual([
      "PersistentVolumeClaim data Warning VolumeResizeFailed",
      "PersistentVolume pv-1 Warning ClaimNotExpandable",
    ]);
    fixture.storage.classes.put(storageClass());
    await fixture.settle();
    expect(fixture.take().calls).toEqual(["describe vol-1", "grow vol-1 15"]);
  });

  it("asks the cloud about a provisioned volume only for its size", async () => {
    const annotations = { "pv.kubernetes.io/provisioned-by": "p.example" };
    await start({ ...more, volumes: [volume({ ...SET, annotations })], claims: [claim()] });
    expect(fixture.take().calls).toEqual([]);
    fixture.storage.claims.put(claim({ asks: "20Gi" }));
    await fixture.settle();
    expect(fixture.take().calls).toEqual(["describe vol-1", "grow vol-1 20"]);
  });
});

describe("users", () => {
  it("hold a volume, which is then neither looked up nor written, and release it", async () => {
    await start({ volumes: [volume()], disk: undefined });
    const until = fixture.clock.now() + 3_600_000;
    await fixture.ask({ kind: "hold", until });
    expect(fixture.last().state).toBe("held");
    expect(fixture.take().events).toContain("PersistentVolume pv-1 Normal Held");
    fixture.disk = facts();
    await fixture.settle(DRIFT_PERIOD_MS);
    expect(fixture.take()).toEqual({ calls: [], patches: [], events: [] });
    await fixture.ask({ kind: "release" });
    expect(fixture.take().patches).toContain(ALL);
  });

  it("set a hold by kubectl that a volume respects from then on", async () => {
    const annotations = { [HOLD_ANNOTATION]: "moving it" };
    await start({ volumes: [volume({ annotations })] });
    expect(fixture.take()).toMatchObject({ calls: [], patches: [] });
    expect(fixture.state()?.state).toBe("held");
  });

  it("retry a volume at once, with a lookup of its own", async () => {
    await start({ volumes: [volume(SET)] });
    fixture.take();
    const report = await fixture.ask({ kind: "retry" });
    expect(report).toMatchObject({ kind: "ran", run: { outcome: "unchanged" } });
    expect(fixture.take().calls).toEqual(["describe vol-1"]);
  });
});
