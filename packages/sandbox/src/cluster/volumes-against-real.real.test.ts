import { compareWithReal } from "./testing/against-real.ts";
import {
  create,
  inOtherWords,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  STRATEGIC,
  statusAlone,
  stepsOf,
} from "./testing/comparison.ts";

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

/** In order: later steps depend on earlier ones. */
const STEPS = stepsOf({
  "creates endpoints": endpointsOf("e", {
    addresses: [{ ip: "10.0.0.1", nodeName: "n1" }],
    notReadyAddresses: [{ ip: "2001:db8::1" }],
    ports: [{ port: 80 }],
  }),
  "creates endpoints of nothing": create(ENDPOINTS, { metadata: { name: "none" } }),
  "refuses a subset without addresses": endpointsOf("x", { ports: [{ port: 80 }] }),
  "refuses bad addresses": endpointsOf("x", {
    addresses: [
      { ip: "foo" },
      { ip: "127.0.0.1" },
      { ip: "10.0.0.1", hostname: "A", nodeName: "B_" },
    ],
  }),
  "refuses bad ports": endpointsOf("x", {
    addresses: [{ ip: "10.0.0.1" }],
    ports: [{ port: 0 }, { port: 1, name: "A", protocol: "X", appProtocol: "a b" }],
  }),
  "changes endpoints": patch(`${ENDPOINTS}/e`, MERGE, {
    subsets: [{ addresses: [{ ip: "10.0.0.2" }] }],
  }),
  "puts endpoints that are not there": put(`${ENDPOINTS}/p`, { metadata: { name: "p" } }),
  "reads endpoints": get(`${ENDPOINTS}/e`),
  "deletes endpoints": remove(`${ENDPOINTS}/e`),
  "creates a slice": slice("s", {
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
  "creates a slice of nothing": create(SLICES, {
    metadata: { name: "empty" },
    addressType: "IPv6",
  }),
  "refuses a slice without a type": create(SLICES, { metadata: { name: "x" } }),
  "refuses a slice of an unknown type": slice("x", { addressType: "Foo" }),
  "refuses addresses of the other family": slice("x", {
    endpoints: [{ addresses: ["2001:db8::1"] }],
  }),
  "refuses an endpoint without addresses": inOtherWords(slice("x", { endpoints: [{}] })),
  "refuses what is no address in a slice": slice("x", {
    endpoints: [{ addresses: ["foo", "127.0.0.1"] }],
  }),
  "refuses ports of one name": slice("x", { ports: [{ name: "a" }, { name: "a" }] }),
  "refuses a port's protocol": slice("x", { ports: [{ name: "A", protocol: "X" }] }),
  "counts a slice's changes": patch(`${SLICES}/s`, MERGE, { ports: [{ port: 82 }] }),
  "does not count annotations": patch(`${SLICES}/s`, MERGE, {
    metadata: { annotations: { a: "b" } },
  }),
  "counts labels": patch(`${SLICES}/s`, MERGE, { metadata: { labels: { a: "b" } } }),
  "refuses another type of addresses": inOtherWords(
    patch(`${SLICES}/s`, MERGE, { addressType: "IPv6", endpoints: [] }),
  ),
  "refuses to put a slice that is not there": put(`${SLICES}/q`, {
    metadata: { name: "q" },
    addressType: "IPv4",
  }),
  "deletes a slice": remove(`${SLICES}/s`),
  "creates a class": storageClass("fast"),
  "creates a class with everything": storageClass("all", {
    parameters: { a: "b" },
    reclaimPolicy: "Retain",
    mountOptions: ["ro"],
    allowVolumeExpansion: true,
    volumeBindingMode: "WaitForFirstConsumer",
    allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["b"] }] }],
  }),
  "refuses a class without a provisioner": inOtherWords(
    create(CLASSES, { metadata: { name: "x" } }),
  ),
  "refuses a provisioner that is none": storageClass("x", { provisioner: "a b" }),
  "refuses an unknown policy of reclaiming": storageClass("x", { reclaimPolicy: "Recycle" }),
  "refuses an unknown mode of binding": storageClass("x", { volumeBindingMode: "Foo" }),
  "refuses to change a class": patch(`${CLASSES}/all`, MERGE, { parameters: { a: "c" } }),
  "lets claims of a class grow": patch(`${CLASSES}/fast`, MERGE, { allowVolumeExpansion: true }),
  "answers a deleted class with itself": remove(`${CLASSES}/all`),
  "creates a volume": volume("v"),
  "creates a volume on a path": volume("path", {
    csi: undefined,
    hostPath: { path: "/tmp" },
    capacity: { storage: "1.5Gi" },
  }),
  "creates a local volume": volume("local", {
    csi: undefined,
    local: { path: "/mnt" },
    nodeAffinity: zone("a"),
    volumeMode: "Block",
    storageClassName: "slow",
    mountOptions: ["x"],
  }),
  "creates a volume of a cloud": volume("cinder", {
    csi: undefined,
    cinder: { volumeID: "c" },
    claimRef: { namespace: "default", name: "c" },
  }),
  "refuses a volume of nothing": create(VOLUMES, { metadata: { name: "x" } }),
  "refuses two kinds of volumes": inOtherWords(volume("x", { hostPath: { path: "/a" } })),
  "refuses access modes": volume("x", { accessModes: ["Foo", "ReadWriteOncePod", "ReadOnlyMany"] }),
  "refuses other resources than storage": inOtherWords(volume("x", { capacity: { cpu: "1" } })),
  "refuses a volume of no size": volume("x", { capacity: { storage: "0" } }),
  "refuses a size that is none": inOtherWords(volume("x", { capacity: { storage: "big" } })),
  "refuses an unknown reclaim policy": volume("x", { persistentVolumeReclaimPolicy: "Foo" }),
  "refuses an unknown volume mode": volume("x", { volumeMode: "Foo" }),
  "refuses a class that is no name": volume("x", { storageClassName: "A_" }),
  "refuses a local volume anywhere": volume("x", { csi: undefined, local: { path: "/a" } }),
  "refuses an affinity of nothing": volume("x", { nodeAffinity: {} }),
  "refuses an affinity without terms": volume("x", {
    nodeAffinity: { required: { nodeSelectorTerms: [] } },
  }),
  "refuses bad terms": inOtherWords(
    volume("x", {
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
  ),
  "refuses a driver without a handle": volume("x", { csi: { driver: "A_b" } }),
  "labels a volume": patch(`${VOLUMES}/v`, STRATEGIC, {
    metadata: { labels: { "topology.kubernetes.io/zone": "a" } },
  }),
  "says once where a volume can be used": patch(`${VOLUMES}/v`, STRATEGIC, {
    spec: { nodeAffinity: zone("a") },
  }),
  "refuses to say it otherwise": inOtherWords(
    patch(`${VOLUMES}/v`, STRATEGIC, { spec: { nodeAffinity: zone("b") } }),
  ),
  "refuses to take it back": inOtherWords(
    patch(`${VOLUMES}/v`, MERGE, { spec: { nodeAffinity: null } }),
  ),
  "refuses another volume": inOtherWords(
    patch(`${VOLUMES}/v`, MERGE, { spec: { csi: { volumeHandle: "vol-2" } } }),
  ),
  "refuses another mode": patch(`${VOLUMES}/v`, MERGE, { spec: { volumeMode: "Block" } }),
  "grows a volume": patch(`${VOLUMES}/v`, MERGE, {
    spec: { capacity: { storage: "2Gi" }, claimRef: { namespace: "default", name: "c" } },
  }),
  "moves a volume's phase": patch(`${VOLUMES}/v/status`, MERGE, { status: { phase: "Bound" } }),
  "keeps the status from the volume itself": patch(`${VOLUMES}/v`, MERGE, {
    status: { phase: "Failed" },
  }),
  "holds a volume that is deleted": remove(`${VOLUMES}/v`),
  "lets it go by hand": patch(`${VOLUMES}/v`, JSON_PATCH, [
    { op: "remove", path: "/metadata/finalizers" },
  ]),
  "has no volume then": get(`${VOLUMES}/v`),
  "creates a claim": claim("c"),
  "creates a claim with everything": claim("full", {
    selector: { matchLabels: { a: "b" }, matchExpressions: [{ key: "c", operator: "Exists" }] },
    volumeName: "v",
    storageClassName: "fast",
    volumeMode: "Block",
    resources: { requests: { storage: "0.5Gi" }, limits: { storage: "2048Mi" } },
  }),
  "creates a claim of no class": claim("noclass", { storageClassName: "" }),
  "refuses a claim of nothing": create(CLAIMS, { metadata: { name: "x" } }),
  "refuses a claim's access modes": claim("x", { accessModes: ["Foo"] }),
  "refuses a claim of no size": claim("x", { resources: { requests: { storage: "-1" } } }),
  "refuses a claim's class": claim("x", { storageClassName: "A_" }),
  "refuses to grow a claim that is not bound": inOtherWords(
    patch(`${CLAIMS}/c`, MERGE, { spec: { resources: { requests: { storage: "2Gi" } } } }),
  ),
  "names a claim's volume once": patch(`${CLAIMS}/c`, MERGE, {
    spec: { volumeName: "local", storageClassName: "fast" },
  }),
  "refuses another volume for a claim": inOtherWords(
    patch(`${CLAIMS}/c`, MERGE, { spec: { volumeName: "path" } }),
  ),
  "binds a claim": patch(`${CLAIMS}/c/status`, MERGE, {
    status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
  }),
  "grows a claim that is bound": patch(`${CLAIMS}/c`, MERGE, {
    spec: { resources: { requests: { storage: "2Gi" } } },
  }),
  "refuses a claim below what it has": patch(`${CLAIMS}/c`, MERGE, {
    spec: { resources: { requests: { storage: "512Mi" } } },
  }),
  "binds a claim of no class": patch(`${CLAIMS}/noclass/status`, MERGE, {
    status: { phase: "Bound", capacity: { storage: "1Gi" } },
  }),
  "refuses to grow it": patch(`${CLAIMS}/noclass`, MERGE, {
    spec: { resources: { requests: { storage: "2Gi" } } },
  }),
  "marks a class as everybody's": storageClass("standard", {
    metadata: {
      name: "standard",
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
  }),
  "holds a claim that is deleted": remove(`${CLAIMS}/c`),
  "lists volumes in a table": statusAlone({ ...get(VOLUMES), accept: TABLE }),
});

compareWithReal("endpoints and volumes, as a real API server treats them", STEPS);
