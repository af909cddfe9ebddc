import { strict as assert } from "node:assert";
import { mutations } from "../contexts-of-bench.ts";
import {
  answerOf,
  createVolume,
  factsIn,
  lookUp,
  lookUpOne,
  type VolumeBenchCase,
  type VolumesBench,
} from "./bench.ts";

const MANY = 24;
/** More than two pages of the clouds that we know. */
const MORE_THAN_PAGES = 1_100;

/** Which disk a PersistentVolume is, and what the cloud says of it. */
export const volumeLookupCases: readonly VolumeBenchCase[] = [
  {
    name: "knows its disk behind a PersistentVolume",
    check: async (bench) => {
      const { volumes, specOf } = bench.fixture;
      const id = await createVolume(bench);
      assert.equal(volumes.identify(specOf(id)), id);
      const spec = { ...GENERAL, ...specOf(id) };
      assert.equal(volumes.identify(spec), id);
      assert.equal(bench.calls.length, 0);
    },
  },
  {
    name: "takes no source of another type for its own, CSI least of all",
    check: async ({ fixture }) => {
      const { volumes, provider, unknownVolume } = fixture;
      const strangers: readonly Readonly<Record<string, unknown>>[] = [
        {},
        GENERAL,
        { csi: { driver: `${provider}.csi.example.com`, volumeHandle: unknownVolume } },
        { csi: { driver: provider, volumeHandle: unknownVolume } },
        { nfs: { server: "nfs.example.com", path: "/" } },
        { hostPath: { path: `/${unknownVolume}` } },
        { local: { path: `/${unknownVolume}` } },
        { flexVolume: { driver: "example.com/disk", options: { volumeID: unknownVolume } } },
        { flexVolume: null },
        { csi: "a text" },
      ];
      for (const spec of strangers) {
        assert.equal(volumes.identify(spec), undefined, JSON.stringify(spec));
      }
    },
  },
  {
    name: "tells zone, region and size of a disk",
    check: async (bench) => {
      const id = await createVolume(bench, { zone: "zone-7", region: "region-7", sizeGiB: 7 });
      const facts = factsIn(await lookUpOne(bench, id));
      assert.equal(facts.id, id);
      assert.equal(facts.zone, "zone-7");
      assert.equal(facts.region, "region-7");
      assert.equal(facts.sizeGiB, 7);
      assert.ok(facts.asOf > 0);
    },
  },
  {
    name: "calls a disk that is not there absent, alone and among others",
    check: async (bench) => {
      const { unknownVolume } = bench.fixture;
      const id = await createVolume(bench);
      assert.equal((await lookUpOne(bench, unknownVolume)).kind, "absent");
      const answers = await lookUp(bench, [unknownVolume, id]);
      assert.equal(answerOf(answers, unknownVolume).kind, "absent");
      factsIn(answerOf(answers, id));
    },
  },
  {
    name: "asks nothing about nothing",
    check: async (bench) => {
      assert.equal((await lookUp(bench, [])).size, 0);
      assert.equal(bench.calls.length, 0);
    },
  },
  {
    name: "answers every id, whatever the others are",
    check: async (bench) => {
      const id = await createVolume(bench);
      const odd = ["../..", "a b&id=c?d#e", "%", "x".repeat(300)];
      const answers = await lookUp(bench, [...odd, id, ...odd, id]);
      assert.deepEqual(new Set(answers.keys()), new Set([...odd, id]));
      for (const one of odd) assert.notEqual(answerOf(answers, one).kind, "found");
      factsIn(answerOf(answers, id));
    },
  },
  {
    name: "looks many up with few calls, and writes nothing",
    check: async (bench) => {
      const ids = await createMany(bench, MANY);
      const answers = await lookUp(bench, ids);
      for (const id of ids) factsIn(answerOf(answers, id));
      const most = MANY / 4;
      const { length } = bench.calls;
      assert.ok(length <= most, `${MANY} lookups took ${length} calls, more than ${most}.`);
      assert.equal(mutations(bench), 0);
    },
  },
  {
    name: "finds more disks than a page holds",
    check: async (bench) => {
      const ids = await createMany(bench, MORE_THAN_PAGES);
      const answers = await lookUp(bench, [...ids, bench.fixture.unknownVolume]);
      for (const id of ids) factsIn(answerOf(answers, id));
      assert.equal(answerOf(answers, bench.fixture.unknownVolume).kind, "absent");
    },
  },
];

/** What every PersistentVolume may have beside its source. */
const GENERAL = {
  capacity: { storage: "10Gi" },
  accessModes: ["ReadWriteOnce"],
  persistentVolumeReclaimPolicy: "Retain",
  storageClassName: "",
  volumeMode: "Filesystem",
};

function createMany(bench: VolumesBench, count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, () => createVolume(bench)));
}
