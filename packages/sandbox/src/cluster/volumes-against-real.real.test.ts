import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import {
  create,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  STRATEGIC,
  type Step,
  verdict,
} from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const VOLUMES = "/api/v1/persistentvolumes";
const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

const get = (path: string) => ({ method: "GET", path });
const remove = (path: string) => ({ method: "DELETE", path });
const endpointsOf = (name: string, ...subsets: object[]) =>
  create(ENDPOINTS, { metadata: { name }, subsets });
const slice = (name: string, more: object) =>
  create(SLICES, { metadata: { name }, addressType: "IPv4", endpoints: [], ports: [], ...more });
const CSI = { driver: "csi.example.com", volumeHandle: "vol-1" };
const volume = (name: string, more: object = {}) =>
  create(VOLUMES, {
    metadata: { name },
    spec: { capacity: { storage: "1024Mi" }, accessModes: ["ReadWriteOnce"], csi: CSI, ...more },
  });
const claim = (name: string, more: object = {}) =>
  create(CLAIMS, {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...more },
  });
const storageClass = (name: string, more: object = {}) =>
  create(CLASSES, { metadata: { name }, provisioner: "csi.example.com", ...more });
const zone = (...values: string[]) => ({
  required: {
    nodeSelectorTerms: [
      { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values }] },
    ],
  },
});

/** In order: later steps stand on what earlier ones left. */
const STEPS: readonly Step[] = [
  {
    does: "creates endpoints",
    ...endpointsOf("e", {
      addresses: [{ ip: "10.0.0.1", nodeName: "n1" }],
      notReadyAddresses: [{ ip: "2001:db8::1" }],
      ports: [{ port: 80 }],
    }),
  },
  { does: "creates endpoints of nothing", ...create(ENDPOINTS, { metadata: { name: "none" } }) },
  { does: "refuses a subset without addresses", ...endpointsOf("x", { ports: [{ port: 80 }] }) },
  {
    does: "refuses bad addresses",
    ...endpointsOf("x", {
      addresses: [
        { ip: "foo" },
        { ip: "127.0.0.1" },
        { ip: "10.0.0.1", hostname: "A", nodeName: "B_" },
      ],
    }),
  },
  {
    does: "refuses bad ports",
    ...endpointsOf("x", {
      addresses: [{ ip: "10.0.0.1" }],
      ports: [{ port: 0 }, { port: 1, name: "A", protocol: "X", appProtocol: "a b" }],
    }),
  },
  {
    does: "changes endpoints",
    ...patch(`${ENDPOINTS}/e`, MERGE, { subsets: [{ addresses: [{ ip: "10.0.0.2" }] }] }),
  },
  {
    does: "puts endpoints that are not there",
    ...put(`${ENDPOINTS}/p`, { metadata: { name: "p" } }),
  },
  { does: "reads endpoints", ...get(`${ENDPOINTS}/e`) },
  { does: "deletes endpoints", ...remove(`${ENDPOINTS}/e`) },

  {
    does: "creates a slice",
    ...slice("s", {
      endpoints: [
        {
          addresses: ["10.0.0.1"],
          conditions: { ready: true, serving: false },
          nodeName: "n1",
          zone: "z",
          hints: { forZones: [{ name: "z" }] },
          targetRef: { kind: "Pod", name: "p" },
        },
      ],
      ports: [{ port: 80 }, { name: "b", port: 81, protocol: "UDP" }],
    }),
  },
  {
    does: "creates a slice of nothing",
    ...create(SLICES, { metadata: { name: "empty" }, addressType: "IPv6" }),
  },
  { does: "refuses a slice without a type", ...create(SLICES, { metadata: { name: "x" } }) },
  { does: "refuses a slice of an unknown type", ...slice("x", { addressType: "Foo" }) },
  {
    does: "refuses addresses of the other family",
    ...slice("x", { endpoints: [{ addresses: ["2001:db8::1"] }] }),
  },
  {
    does: "refuses an endpoint without addresses",
    ...slice("x", { endpoints: [{}] }),
    apart: "message",
  },
  {
    does: "refuses what is no address in a slice",
    ...slice("x", { endpoints: [{ addresses: ["foo", "127.0.0.1"] }] }),
  },
  { does: "refuses ports of one name", ...slice("x", { ports: [{ name: "a" }, { name: "a" }] }) },
  { does: "refuses a port's protocol", ...slice("x", { ports: [{ name: "A", protocol: "X" }] }) },
  { does: "counts a slice's changes", ...patch(`${SLICES}/s`, MERGE, { ports: [{ port: 82 }] }) },
  {
    does: "does not count annotations",
    ...patch(`${SLICES}/s`, MERGE, { metadata: { annotations: { a: "b" } } }),
  },
  { does: "counts labels", ...patch(`${SLICES}/s`, MERGE, { metadata: { labels: { a: "b" } } }) },
  {
    does: "refuses another type of addresses",
    ...patch(`${SLICES}/s`, MERGE, { addressType: "IPv6", endpoints: [] }),
    apart: "message",
  },
  {
    does: "refuses to put a slice that is not there",
    ...put(`${SLICES}/q`, { metadata: { name: "q" }, addressType: "IPv4" }),
  },
  { does: "deletes a slice", ...remove(`${SLICES}/s`) },

  { does: "creates a class", ...storageClass("fast") },
  {
    does: "creates a class with everything",
    ...storageClass("all", {
      parameters: { a: "b" },
      reclaimPolicy: "Retain",
      mountOptions: ["ro"],
      allowVolumeExpansion: true,
      volumeBindingMode: "WaitForFirstConsumer",
      allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["b"] }] }],
    }),
  },
  {
    does: "refuses a class without a provisioner",
    ...create(CLASSES, { metadata: { name: "x" } }),
    apart: "message",
  },
  { does: "refuses a provisioner that is none", ...storageClass("x", { provisioner: "a b" }) },
  {
    does: "refuses an unknown policy of reclaiming",
    ...storageClass("x", { reclaimPolicy: "Recycle" }),
  },
  {
    does: "refuses an unknown mode of binding",
    ...storageClass("x", { volumeBindingMode: "Foo" }),
  },
  {
    does: "refuses to change a class",
    ...patch(`${CLASSES}/all`, MERGE, { parameters: { a: "c" } }),
  },
  {
    does: "lets claims of a class grow",
    ...patch(`${CLASSES}/fast`, MERGE, { allowVolumeExpansion: true }),
  },
  { does: "answers a deleted class with itself", ...remove(`${CLASSES}/all`) },

  { does: "creates a volume", ...volume("v") },
  {
    does: "creates a volume on a path",
    ...volume("path", {
      csi: undefined,
      hostPath: { path: "/tmp" },
      capacity: { storage: "1.5Gi" },
    }),
  },
  {
    does: "creates a local volume",
    ...volume("local", {
      csi: undefined,
      local: { path: "/mnt" },
      nodeAffinity: zone("a"),
      volumeMode: "Block",
      storageClassName: "slow",
      mountOptions: ["x"],
    }),
  },
  {
    does: "creates a volume of a cloud",
    ...volume("cinder", {
      csi: undefined,
      cinder: { volumeID: "c" },
      claimRef: { namespace: "default", name: "c" },
    }),
  },
  { does: "refuses a volume of nothing", ...create(VOLUMES, { metadata: { name: "x" } }) },
  {
    does: "refuses two kinds of volumes",
    ...volume("x", { hostPath: { path: "/a" } }),
    apart: "message",
  },
  {
    does: "refuses access modes",
    ...volume("x", { accessModes: ["Foo", "ReadWriteOncePod", "ReadOnlyMany"] }),
  },
  {
    does: "refuses other resources than storage",
    ...volume("x", { capacity: { cpu: "1" } }),
    apart: "message",
  },
  { does: "refuses a volume of no size", ...volume("x", { capacity: { storage: "0" } }) },
  {
    does: "refuses a size that is none",
    ...volume("x", { capacity: { storage: "big" } }),
    apart: "message",
  },
  {
    does: "refuses an unknown reclaim policy",
    ...volume("x", { persistentVolumeReclaimPolicy: "Foo" }),
  },
  { does: "refuses an unknown volume mode", ...volume("x", { volumeMode: "Foo" }) },
  { does: "refuses a class that is no name", ...volume("x", { storageClassName: "A_" }) },
  {
    does: "refuses a local volume anywhere",
    ...volume("x", { csi: undefined, local: { path: "/a" } }),
  },
  { does: "refuses an affinity of nothing", ...volume("x", { nodeAffinity: {} }) },
  {
    does: "refuses an affinity without terms",
    ...volume("x", { nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
  },
  {
    does: "refuses bad terms",
    ...volume("x", {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "a b", operator: "In" },
                { key: "a", operator: "Exists", values: ["b"] },
                { key: "a", operator: "Gt" },
                { key: "a", operator: "Foo", values: ["c d"] },
              ],
            },
          ],
        },
      },
    }),
    apart: "message",
  },
  { does: "refuses a driver without a handle", ...volume("x", { csi: { driver: "A_b" } }) },
  {
    does: "labels a volume",
    ...patch(`${VOLUMES}/v`, STRATEGIC, {
      metadata: { labels: { "topology.kubernetes.io/zone": "a" } },
    }),
  },
  {
    does: "says once where a volume can be used",
    ...patch(`${VOLUMES}/v`, STRATEGIC, { spec: { nodeAffinity: zone("a") } }),
  },
  {
    does: "refuses to say it otherwise",
    ...patch(`${VOLUMES}/v`, STRATEGIC, { spec: { nodeAffinity: zone("b") } }),
    apart: "message",
  },
  {
    does: "refuses to take it back",
    ...patch(`${VOLUMES}/v`, MERGE, { spec: { nodeAffinity: null } }),
    apart: "message",
  },
  {
    does: "refuses another volume",
    ...patch(`${VOLUMES}/v`, MERGE, { spec: { csi: { volumeHandle: "vol-2" } } }),
    apart: "message",
  },
  {
    does: "refuses another mode",
    ...patch(`${VOLUMES}/v`, MERGE, { spec: { volumeMode: "Block" } }),
  },
  {
    does: "grows a volume",
    ...patch(`${VOLUMES}/v`, MERGE, {
      spec: { capacity: { storage: "2Gi" }, claimRef: { namespace: "default", name: "c" } },
    }),
  },
  {
    does: "moves a volume's phase",
    ...patch(`${VOLUMES}/v/status`, MERGE, { status: { phase: "Bound" } }),
  },
  {
    does: "keeps the status from the volume itself",
    ...patch(`${VOLUMES}/v`, MERGE, { status: { phase: "Failed" } }),
  },
  { does: "holds a volume that is deleted", ...remove(`${VOLUMES}/v`) },
  {
    does: "lets it go by hand",
    ...patch(`${VOLUMES}/v`, JSON_PATCH, [{ op: "remove", path: "/metadata/finalizers" }]),
  },
  { does: "has no volume then", ...get(`${VOLUMES}/v`) },

  { does: "creates a claim", ...claim("c") },
  {
    does: "creates a claim with everything",
    ...claim("full", {
      selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Exists" }] },
      volumeName: "v",
      storageClassName: "fast",
      volumeMode: "Block",
      resources: { requests: { storage: "0.5Gi" }, limits: { storage: "2048Mi" } },
    }),
  },
  { does: "creates a claim of no class", ...claim("noclass", { storageClassName: "" }) },
  { does: "refuses a claim of nothing", ...create(CLAIMS, { metadata: { name: "x" } }) },
  { does: "refuses a claim's access modes", ...claim("x", { accessModes: ["Foo"] }) },
  {
    does: "refuses a claim of no size",
    ...claim("x", { resources: { requests: { storage: "-1" } } }),
  },
  { does: "refuses a claim's class", ...claim("x", { storageClassName: "A_" }) },
  {
    does: "refuses to grow a claim that is not bound",
    ...patch(`${CLAIMS}/c`, MERGE, { spec: { resources: { requests: { storage: "2Gi" } } } }),
    apart: "message",
  },
  {
    does: "names a claim's volume once",
    ...patch(`${CLAIMS}/c`, MERGE, { spec: { volumeName: "local", storageClassName: "fast" } }),
  },
  {
    does: "refuses another volume for a claim",
    ...patch(`${CLAIMS}/c`, MERGE, { spec: { volumeName: "path" } }),
    apart: "message",
  },
  {
    does: "binds a claim",
    ...patch(`${CLAIMS}/c/status`, MERGE, {
      status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
    }),
  },
  {
    does: "grows a claim that is bound",
    ...patch(`${CLAIMS}/c`, MERGE, { spec: { resources: { requests: { storage: "2Gi" } } } }),
  },
  {
    does: "refuses a claim below what it has",
    ...patch(`${CLAIMS}/c`, MERGE, { spec: { resources: { requests: { storage: "512Mi" } } } }),
  },
  {
    does: "binds a claim of no class",
    ...patch(`${CLAIMS}/noclass/status`, MERGE, {
      status: { phase: "Bound", capacity: { storage: "1Gi" } },
    }),
  },
  {
    does: "refuses to grow it",
    ...patch(`${CLAIMS}/noclass`, MERGE, { spec: { resources: { requests: { storage: "2Gi" } } } }),
  },
  {
    does: "marks a class as everybody's",
    ...storageClass("standard", {
      metadata: {
        name: "standard",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
    }),
  },
  { does: "holds a claim that is deleted", ...remove(`${CLAIMS}/c`) },
  { does: "lists volumes in a table", ...get(VOLUMES), accept: TABLE, apart: "body" },
];

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)(
  "endpoints and volumes, as a real API server treats them",
  () => {
    let real: RealCluster;
    let sandbox: TestCluster;
    let realClient: ApiClient;

    beforeAll(async () => {
      real = startRealCluster();
      realClient = new ApiClient(real.access);
      sandbox = await startTestCluster({ rbac: true });
    });
    afterAll(async () => {
      await realClient.close();
      await sandbox.discard();
      real.discard();
    });

    it.each(STEPS)("$does", async (step) => {
      const expected = await verdict(realClient, step);
      expect(await verdict(sandbox.client, step)).toEqual(expected);
    });
  },
);
