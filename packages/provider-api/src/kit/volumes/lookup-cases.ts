import { strict as assert } from "node:assert";
import { mutations } from "../recorded-contexts.ts";
import {
  answerOf,
  createVolume,
  factsIn,
  lookUp,
  lookUpOne,
  type VolumeCase,
  type VolumesSubject,
} from "./steps.ts";

const MANY = 24;
/** More than two pages of the clouds that we know. */
const MORE_THAN_PAGES = 1_100;

/** Which disk a PersistentVolume refers to, and what the cloud reports about it. */
export const volumeLookupCases: readonly VolumeCase[] = [
  {
    name: "knows its disk behind a PersistentVolume",
    check: async (subject) => {
      const { volumes, specOf } = subject.fixture;
      const id = await createVolume(subject);
      assert.equal(volumes.identify(specOf(id)), id);
      const spec = { ...GENERAL, ...specOf(id) };
      assert.equal(volumes.identify(spec), id);
      assert.equal(subject.calls.length, 0);
    },
  },
  {
    name: "takes no source of another type for its own, CSI least of all",
    check: async ({ fixture }) => {
      const { volumes, provider, unknownVolume } = fixture;
      const foreign: readonly Readonly<Record<string, unknown>>[] = [
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
      for (const spec of foreign) {
        assert.equal(volumes.identify(spec), undefined, JSON.stringify(spec));
      }
    },
  },
  {
    name: "reports zone, region and size of a disk",
    check: async (subject) => {
      const id = await createVolume(subject, { zone: "zone-7", region: "region-7", sizeGiB: 7 });
      const facts = factsIn(await lookUpOne(subject, id));
      assert.equal(facts.id, id);
      assert.equal(facts.zone, "zone-7");
      assert.equal(facts.region, "region-7");
      assert.equal(facts.sizeGiB, 7);
      assert.ok(facts.asOf > 0);
    },
  },
  {
    name: "calls a disk that is not there absent, alone and among others",
    check: async (subject) => {
      const { unknownVolume } = subject.fixture;
      const id = await createVolume(subject);
      assert.equal((await lookUpOne(subject, unknownVolume)).kind, "absent");
      const answers = await lookUp(subject, [unknownVolume, id]);
      assert.equal(answerOf(answers, unknownVolume).kind, "absent");
      factsIn(answerOf(answers, id));
    },
  },
  {
    name: "asks nothing about nothing",
    check: async (subject) => {
      assert.equal((await lookUp(subject, [])).size, 0);
      assert.equal(subject.calls.length, 0);
    },
  },
  {
    name: "answers every id, whatever the others are",
    check: async (subject) => {
      const id = await createVolume(subject);
      const odd = ["../..", "a b&id=c?d#e", "%", "x".repeat(300)];
      const answers = await lookUp(subject, [...odd, id, ...odd, id]);
      assert.deepEqual(new Set(answers.keys()), new Set([...odd, id]));
      for (const one of odd) assert.notEqual(answerOf(answers, one).kind, "found");
      factsIn(answerOf(answers, id));
    },
  },
  {
    name: "looks many up with few calls, and writes nothing",
    check: async (subject) => {
      const ids = await createMany(subject, MANY);
      const answers = await lookUp(subject, ids);
      for (const id of ids) factsIn(answerOf(answers, id));
      const most = MANY / 4;
      const { length } = subject.calls;
      assert.ok(length <= most, `${MANY} lookups took ${length} calls, more than ${most}.`);
      assert.equal(mutations(subject), 0);
    },
  },
  {
    name: "finds more disks than a page holds",
    check: async (subject) => {
      const ids = await createMany(subject, MORE_THAN_PAGES);
      const answers = await lookUp(subject, [...ids, subject.fixture.unknownVolume]);
      for (const id of ids) factsIn(answerOf(answers, id));
      assert.equal(answerOf(answers, subject.fixture.unknownVolume).kind, "absent");
    },
  },
];

/** Fields that every PersistentVolume may have beside its source. */
const GENERAL = {
  capacity: { storage: "10Gi" },
  accessModes: ["ReadWriteOnce"],
  persistentVolumeReclaimPolicy: "Retain",
  storageClassName: "",
  volumeMode: "Filesystem",
};

function createMany(subject: VolumesSubject, count: number): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, () => createVolume(subject)));
}
