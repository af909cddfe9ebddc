import { ProviderError, type VolumeLookup } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { PersistentVolume } from "../../kube/client.ts";
import { admittedVolumeSchema, admitVolume } from "./admit-volume.ts";
import { EXPRESSIONS, found, identify, LABELS, volume } from "./testing/volume-fixture.ts";
import { ZONE_LABEL } from "./topology.ts";

const AFFINITY = {
  op: "add",
  path: "/spec/nodeAffinity",
  value: { required: { nodeSelectorTerms: [{ matchExpressions: EXPRESSIONS }] } },
};
const DOWN: VolumeLookup = {
  kind: "failed",
  error: new ProviderError("Unavailable", "The cloud is down.", {
    provider: "p",
    operation: "GET /v1/volumes",
  }),
};

interface Action {
  readonly lookup?: VolumeLookup;
  readonly isRepaired?: boolean;
}

async function admit(
  created: PersistentVolume,
  { lookup = found(), isRepaired = true }: Action = {},
) {
  const requested: string[] = [];
  const verdict = await admitVolume(
    {
      volumes: { identify },
      provider: "p",
      isRepaired,
      describe: async (disk) => {
        requested.push(disk);
        return lookup;
      },
    },
    created,
    new AbortController().signal,
  );
  return { verdict, requested };
}

describe("a new volume", () => {
  it("gets labels and affinity", async () => {
    const { verdict } = await admit(volume());
    const labels = { op: "add", path: "/metadata/labels", value: LABELS };
    expect(verdict).toEqual({ kind: "allowed", patch: [labels, AFFINITY], warnings: [] });
  });

  it("may have null for no labels yet", async () => {
    const created = {
      ...volume({ spec: { nodeAffinity: null as never } }),
      kind: "PersistentVolume",
    };
    expect(admittedVolumeSchema.safeParse(created).success).toBe(true);
    expect((await admit(created)).verdict).toMatchObject({ patch: [{}, AFFINITY] });
    expect((await admit(created, { lookup: DOWN })).verdict).toMatchObject({ kind: "allowed" });
  });

  it("has a user's zone overwritten, and keeps its other labels (V-03)", async () => {
    const { verdict } = await admit(
      volume({ labels: { ...LABELS, [ZONE_LABEL]: "wrong", a: "b" } }),
    );
    const path = "/metadata/labels/topology.kubernetes.io~1zone";
    expect(verdict).toMatchObject({ patch: [{ op: "add", path, value: "z1" }, AFFINITY] });
  });

  it.each<[string, PersistentVolume]>([
    ["of another source", volume({ spec: { flexVolume: { driver: "other" } } })],
    [
      "of CSI, though it may look like ours",
      volume({ spec: { csi: { driver: "d", volumeHandle: "h" } } }),
    ],
    ["of a placeholder", volume({ disk: "placeholder-for-provisioning" })],
  ])("%s is admitted unchanged without asking the cloud (V-09, V-10)", async (_, created) => {
    const unchanged = { kind: "allowed", patch: [], warnings: [] };
    expect(await admit(created)).toEqual({ verdict: unchanged, requested: [] });
  });

  it("that its provisioner labelled needs no call either (V-04)", async () => {
    const annotations = { "pv.kubernetes.io/provisioned-by": "p.example" };
    const { verdict, requested } = await admit(volume({ labels: LABELS, annotations }));
    expect(verdict).toEqual({ kind: "allowed", patch: [AFFINITY], warnings: [] });
    expect(requested).toEqual([]);
  });

  it("of a disk without a zone or region gets nothing (V-12)", async () => {
    const { verdict } = await admit(volume(), { lookup: found({ zone: "", region: "" }) });
    expect(verdict).toEqual({ kind: "allowed", patch: [], warnings: [] });
  });

  it.each<[string, VolumeLookup, RegExp]>([
    ["whose disk is not there (V-08)", { kind: "absent" }, /P has no disk vol-1/],
    ["in a zone that is none (V-11)", found({ zone: "z1__" }), /z1__/],
  ])("%s is refused with the reason", async (_, lookup, message) => {
    const { verdict } = await admit(volume(), { lookup });
    expect(verdict).toMatchObject({ kind: "refused", message: expect.stringMatching(message) });
  });
});

describe("while the cloud does not answer (VW-3)", () => {
  it("a volume is admitted if the loop will label it, with a warning", async () => {
    const { verdict } = await admit(volume(), { lookup: DOWN });
    expect(verdict).toMatchObject({ kind: "allowed", patch: [] });
    expect(verdict).toMatchObject({ warnings: [expect.stringContaining("The cloud is down")] });
  });

  it("it is refused if nothing would label it", async () => {
    const { verdict } = await admit(volume(), { lookup: DOWN, isRepaired: false });
    expect(verdict).toMatchObject({ kind: "refused" });
  });

  it("it is refused if it has an affinity, to which nothing can be added later", async () => {
    const { verdict } = await admit(volume({ terms: [{ matchExpressions: [] }] }), {
      lookup: DOWN,
    });
    expect(verdict).toMatchObject({ kind: "refused" });
  });

  it("nothing is waited for beyond the deadline", async () => {
    const ends = new AbortController();
    const verdict = admitVolume(
      {
        volumes: { identify },
        provider: "p",
        isRepaired: true,
        describe: (_, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          }),
      },
      volume(),
      ends.signal,
    );
    const late = { provider: "p", operation: "the lookup", retryAfterMs: 4_000 };
    ends.abort(new ProviderError("TimedOut", "No answer came.", late));
    expect(await verdict).toMatchObject({
      kind: "allowed",
      warnings: [expect.stringContaining("within 4 s")],
    });
  });
});

it.each<[string, unknown, boolean]>([
  ["a volume", volume(), true],
  [
    "one with the nulls of an API server",
    { ...volume(), metadata: { name: "a", creationTimestamp: null } },
    true,
  ],
  ["something else", { ...volume(), kind: "Node" }, false],
  ["labels that are none", { ...volume(), metadata: { labels: { a: 1 } } }, false],
  ["nothing", undefined, false],
])("an object for admission may be %s", (_, object, fits) => {
  expect(admittedVolumeSchema.safeParse(object).success).toBe(fits);
});
