import { execFile, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { blanked } from "./testing/comparison.ts";
import {
  missingRealCluster,
  type RealCluster,
  realBinaries,
  startRealCluster,
} from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

const run = promisify(execFile);

const NODE = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1" },
  spec: {
    taints: [
      {
        key: "node.cloudprovider.kubernetes.io/uninitialized",
        value: "true",
        effect: "NoSchedule",
      },
    ],
  },
};
const LEASE = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "l1", namespace: "team" },
  spec: { holderIdentity: "me", leaseDurationSeconds: 15 },
};
const EVENT = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "e1", namespace: "default" },
  involvedObject: { kind: "Node", name: "n1" },
  reason: "Synced",
  message: "Node synced",
  type: "Normal",
  firstTimestamp: "2026-01-01T00:00:00Z",
  lastTimestamp: "2026-01-01T00:00:00Z",
  count: 1,
  source: { component: "ccm" },
};
const FILES: Readonly<Record<string, object>> = {
  node: NODE,
  lease: LEASE,
  event: EVENT,
  mistyped: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" }, dta: {} },
};

/** What a user types, and what must stand in the answer. */
const COMMANDS: readonly (readonly [command: string, answer: string])[] = [
  ["create namespace team", "namespace/team created"],
  ["create configmap c1 --from-literal=a=b -n team", "configmap/c1 created"],
  ["create secret generic s1 --from-literal=a=b -n team", "secret/s1 created"],
  ["create serviceaccount robot -n team", "serviceaccount/robot created"],
  ["create token robot -n team", "eyJ"],
  ["create -f {node}", "node/n1 created"],
  ["create -f {lease}", "lease.coordination.k8s.io/l1 created"],
  ["create -f {event}", "event/e1 created"],
  ["create -f {mistyped}", 'unknown field "dta"'],
  ["get nodes", "NAME   STATUS    ROLES    AGE"],
  ["get nodes -o wide", "CONTAINER-RUNTIME"],
  ["get nodes -o name", "node/n1"],
  ["get node n1 -o yaml", "kind: Node"],
  ["get node n1 -o jsonpath={.metadata.name}", "n1"],
  ["get ns --sort-by=.metadata.name", "kube-node-lease"],
  ["get events", "Synced"],
  ["get lease -n team", "HOLDER"],
  ["get secret s1 -n team", "Opaque"],
  ["label node n1 a=b", "node/n1 labeled"],
  ["label node n1 a=c", "already has a value"],
  ["get nodes -l a=b", "n1"],
  ["get nodes -l a=z", "No resources found"],
  ["get nodes --field-selector metadata.name=n1", "n1"],
  ["annotate node n1 x.y/z=text", "node/n1 annotated"],
  ["taint node n1 k=v:NoSchedule", "node/n1 tainted"],
  ["taint node n1 k-", "node/n1 untainted"],
  ['patch node n1 --type=merge -p {"spec":{"providerID":"a://b"}}', "node/n1 patched"],
  ['patch node n1 --type=merge -p {"spec":{"providerID":"a://c"}}', "cannot be modified once set"],
  [
    'patch node n1 --type=json -p [{"op":"add","path":"/metadata/labels/q","value":"x"}]',
    "node/n1 patched",
  ],
  [
    'patch node n1 --subresource=status -p {"status":{"conditions":[{"type":"Ready","status":"True"}]}}',
    "node/n1 patched",
  ],
  ["wait --for=condition=Ready node/n1 --timeout=20s", "node/n1 condition met"],
  ["cordon n1", "node/n1 cordoned"],
  ["get node n1", "Ready,SchedulingDisabled"],
  ["uncordon n1", "node/n1 uncordoned"],
  ["describe node n1", "ProviderID:"],
  ["describe lease l1 -n team", "Holder Identity:"],
  ["describe ns team", "Status:       Active"],
  ["describe configmap c1 -n team", "a:"],
  ["describe event e1", "Node synced"],
  ["events", "Node synced"],
  ["auth can-i delete nodes", "yes"],
  ["auth whoami", "system:masters"],
  ["apply -f {lease}", "lease.coordination.k8s.io/l1 configured"],
  ["api-resources", "leases"],
  ["version", "Server Version: v1."],
  ["get --raw /readyz", "ok"],
  ["delete node n1 --wait", 'node "n1" deleted'],
  ["get node n1", "not found"],
  ["delete ns team --wait", 'namespace "team" deleted'],
  ["get ns team", "not found"],
];

const missing = missingRealCluster();
const newest = missing === undefined ? join(realBinaries(), "kubectl") : "";
const clients = [
  ["of the machine", "/usr/bin/kubectl"],
  ["of the test cluster", newest],
] as const;

describe.each(clients)("kubectl %s", (_name, kubectl) => {
  describe.skipIf(!existsSync(kubectl))("with the sandbox cluster", () => {
    let cluster: TestCluster;
    const paths = new Map<string, string>();

    beforeAll(async () => {
      cluster = await startTestCluster();
      for (const [name, object] of Object.entries(FILES)) {
        const path = join(cluster.folder, `${name}.json`);
        writeFileSync(path, JSON.stringify(object));
        paths.set(name, path);
      }
    });
    afterAll(() => cluster.discard());

    it.each(COMMANDS)("%s", async (command, answer) => {
      const parameters = command
        .split(" ")
        .map((word) => word.replace(/^\{(\w+)\}$/, (_all, name: string) => paths.get(name) ?? ""));
      expect(await type(kubectl, cluster.kubeconfig, parameters)).toContain(answer);
    });

    it("get -w shows changes as they come", async () => {
      const { kubeconfig: KUBECONFIG } = cluster;
      const child = spawn(kubectl, ["get", "ns", "-w"], { env: { ...process.env, KUBECONFIG } });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const first: string[] = [];
      while (first.length < 5) first.push(String((await lines.next()).value));
      await cluster.client.ask("POST", "/api/v1/namespaces", {
        body: { metadata: { name: "late" } },
      });
      const seen = String((await lines.next()).value);
      child.kill();
      expect(first[0]).toMatch(/^NAME +STATUS +AGE$/);
      expect(seen).toMatch(/^late +Active/);
    });
  });
});

const shopped = (kind: string, name: string, more: object) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "shop" },
  ...more,
});
const applied = (port: number, more: object = {}) =>
  shopped("Service", "applied", {
    spec: {
      type: "LoadBalancer",
      selector: { app: "applied" },
      ports: [
        { name: "http", port },
        { name: "https", port: 443, targetPort: "tls" },
      ],
      ...more,
    },
  });

const SHOP_FILES: Readonly<Record<string, object>> = {
  first: applied(80),
  second: applied(81, { externalTrafficPolicy: "Local", selector: { app: "other" } }),
  wrong: applied(0, { type: "Foo" }),
  slice: shopped("EndpointSlice", "applied-1", {
    apiVersion: "discovery.k8s.io/v1",
    metadata: {
      name: "applied-1",
      namespace: "shop",
      labels: { "kubernetes.io/service-name": "applied" },
    },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.0.0.1"], conditions: { ready: true } },
      { addresses: ["10.0.0.2"], conditions: { ready: false }, nodeName: "n1" },
    ],
    ports: [
      { name: "http", port: 80 },
      { name: "https", port: 8443 },
    ],
  }),
  old: shopped("Endpoints", "applied", {
    subsets: [{ addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }], ports: [{ port: 80 }] }],
  }),
  class: {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: "standard",
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: "csi.example.com",
    allowVolumeExpansion: true,
  },
  otherClass: {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "other" },
    provisioner: "csi.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  },
  volume: {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk", labels: { "topology.kubernetes.io/zone": "a" } },
    spec: {
      capacity: { storage: "1024Mi" },
      accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
      storageClassName: "standard",
      claimRef: { namespace: "shop", name: "data" },
      csi: { driver: "csi.example.com", volumeHandle: "vol-1", volumeAttributes: { a: "b" } },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] },
              ],
            },
          ],
        },
      },
    },
  },
  claim: shopped("PersistentVolumeClaim", "data", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  event: shopped("Event", "e1", {
    involvedObject: { kind: "Service", name: "applied", namespace: "shop", apiVersion: "v1" },
    reason: "EnsuredLoadBalancer",
    message: "Ensured load balancer",
    type: "Normal",
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:00Z",
    count: 1,
    source: { component: "service-controller" },
  }),
};

/** Changes a port, or in the status the address. */
const EDITOR = `#!/bin/sh
sed -i -e 's/targetPort: 8080/targetPort: 8888/' -e 's/loadBalancer: {}/loadBalancer: {ingress: [{ip: 192.0.2.7}]}/' "$1"
`;

/** What a user types about services, in order; `-n shop` goes without saying. */
const SHOP_COMMANDS: readonly string[] = [
  "create namespace shop",
  "create service clusterip a --tcp=80:8080",
  "create service clusterip none --clusterip=None",
  "create service nodeport b --tcp=80",
  "create service loadbalancer c --tcp=443:8443",
  "create service externalname d --external-name=example.com",
  "create service clusterip a --tcp=80:8080",
  "create -f {wrong}",
  "get svc",
  "get services -o wide",
  "get service -o name",
  "get svc c -o yaml",
  "get all",
  "get svc -A",
  "get svc --field-selector spec.type=LoadBalancer",
  "get svc --sort-by=.spec.type",
  "describe svc a",
  "describe svc none",
  "describe svc b",
  "describe svc c",
  "describe svc d",
  "expose service a --name=e --port=81 --target-port=8081",
  "get svc e",
  "label svc a tier=front",
  "get svc -l tier=front --show-labels",
  "annotate svc a x.y/z=text",
  "set selector svc a app=shop",
  "apply -f {first}",
  "apply -f {first}",
  "diff -f {second}",
  "apply -f {second} --dry-run=server",
  "apply -f {second}",
  "apply view-last-applied -f {second}",
  "get svc applied -o yaml",
  "apply -f {first}",
  "get svc applied -o yaml",
  "apply -f {wrong}",
  "replace -f {second}",
  "edit svc a",
  "get svc a -o yaml",
  "edit svc applied --subresource=status",
  'patch svc applied --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}',
  'patch svc a --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}',
  "wait --for=jsonpath={.status.loadBalancer.ingress[0].ip}=192.0.2.1 svc/applied --timeout=10s",
  "get svc applied -o wide",
  'patch svc applied --subresource=status --type=merge -p {"status":{"loadBalancer":{"ingress":[{"hostname":"a-long-name.balancers.example.com"},{"ip":"192.0.2.9"},{"ip":"2001:db8::1"}]}}}',
  "get svc applied",
  'patch svc applied --type=merge -p {"spec":{"externalIPs":["192.0.2.77"]}}',
  "get svc applied",
  "get svc applied --subresource=status",
  "create -f {slice}",
  "create -f {old}",
  "get endpointslices",
  "get endpoints",
  "describe endpointslice applied-1",
  "describe svc applied",
  'patch svc applied -p {"spec":{"ports":[{"port":443,"nodePort":30077}]}}',
  'patch svc applied --type=json -p [{"op":"replace","path":"/spec/sessionAffinity","value":"ClientIP"}]',
  'patch svc applied -p {"spec":{"ipFamilyPolicy":"PreferDualStack"}}',
  "describe svc applied",
  "create -f {event}",
  "get events",
  "events --for svc/applied",
  "describe svc applied",
  "create -f {class}",
  "create -f {otherClass}",
  "get storageclass",
  "get storageclass standard",
  "describe storageclass standard",
  "apply -f {volume}",
  "get pv",
  "get pv -o wide",
  "describe pv disk",
  "apply -f {claim}",
  "get pvc",
  'patch pvc data --type=merge -p {"spec":{"volumeName":"disk"}}',
  'patch pvc data --type=merge --subresource=status -p {"status":{"phase":"Bound","capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"]}}',
  'patch pv disk --type=merge --subresource=status -p {"status":{"phase":"Bound"}}',
  'patch pvc data -p {"spec":{"resources":{"requests":{"storage":"2Gi"}}}}',
  "get pv,pvc -o wide",
  "describe pvc data",
  "label pv disk a=b",
  "delete pvc data --wait=false",
  "delete pv disk --wait=false",
  "get pv,pvc",
  'patch pvc data -p {"metadata":{"finalizers":null}}',
  'patch pv disk -p {"metadata":{"finalizers":null}}',
  "delete storageclass standard other",
  'patch svc applied -p {"metadata":{"finalizers":["service.kubernetes.io/load-balancer-cleanup"]}}',
  "delete svc a b",
  "get svc",
  "delete svc applied --wait=false",
  "get svc applied",
  "delete namespace shop --wait=false",
  "wait --for=delete svc/c --timeout=25s",
  "get namespace shop",
  "create service clusterip late --tcp=80",
  "get svc",
  'patch svc applied -p {"metadata":{"finalizers":null}}',
  "wait --for=delete namespace/shop --timeout=25s",
  "get svc applied",
  "api-resources --api-group=discovery.k8s.io",
];

describe.skipIf(missing !== undefined)("kubectl and services", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let editor: string;
  const paths = new Map<string, string>();

  beforeAll(async () => {
    real = startRealCluster("namespace-controller");
    sandbox = await startTestCluster();
    for (const [name, object] of Object.entries(SHOP_FILES)) {
      const path = join(sandbox.folder, `shop-${name}.json`);
      writeFileSync(path, JSON.stringify(object));
      paths.set(name, path);
    }
    editor = join(sandbox.folder, "editor");
    writeFileSync(editor, EDITOR, { mode: 0o755 });
  });
  afterAll(async () => {
    await sandbox.discard();
    real.discard();
  });

  describe.each(clients)("kubectl %s", (_name, kubectl) => {
    describe.skipIf(!existsSync(kubectl))("says with the sandbox what it says elsewhere", () => {
      const shop = (kubeconfig: string, command: string) => {
        const words = command.split(" ").map((word) => withPath(paths, word));
        return say({ kubectl, editor }, kubeconfig, ["-n", "shop", ...words]);
      };

      it.each(SHOP_COMMANDS.map((command, index) => [index + 1, command] as const))(
        "%i: %s",
        async (_number, command) => {
          const compare = async () => {
            const [expected, overridden] = await Promise.all([
              shop(real.kubeconfig, command),
              shop(sandbox.kubeconfig, command),
            ]);
            expect(overridden).toBe(expected);
          };
          if (!showsEvents(command)) return compare();
          await vi.waitFor(async () => {
            for (const source of REPAIRERS)
              await shop(real.kubeconfig, `delete events --field-selector source=${source}`);
            await compare();
          }, 35_000);
        },
        40_000,
      );
    });
  });
});

/**
 * The API server's own, about a Service whose address their cache does not know yet: on a busy machine that is chance, and
 * no matter of what kubectl shows.
 */
const REPAIRERS = ["ipallocator-repair-controller", "portallocator-repair-controller"];

/** Such a command only reads, so that it can be given again. */
function showsEvents(command: string): boolean {
  return /^(get events|events|describe)\b/.test(command);
}

function withPath(paths: ReadonlyMap<string, string>, word: string): string {
  return word.replace(/^\{(\w+)\}$/, (_all, name: string) => paths.get(name) ?? "");
}

interface User {
  readonly kubectl: string;
  /** The command that edits a file in place of a user. */
  readonly editor: string;
}

/** What kubectl writes and how it ends, without what every cluster makes up by itself. */
async function say(
  { kubectl, editor }: User,
  kubeconfig: string,
  parameters: readonly string[],
): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig, KUBE_EDITOR: editor };
  const overridden = await run(kubectl, parameters, { env, timeout: 30_000 }).catch(
    (error: unknown) => {
      if (error instanceof Error && "stderr" in error && "stdout" in error) return error;
      throw error;
    },
  );
  const code = "code" in overridden ? overridden.code : 0;
  return `${shown(String(overridden.stdout))}${shown(String(overridden.stderr))}exit ${code}`;
}

/** Also without ages, and without the widths of columns, which follow the addresses. */
function shown(text: string): string {
  return (
    blanked(text)
      .replaceAll(/(Timestamp|Time): "?[-:TZ0-9]+"?/g, "$1: TIME")
      .replaceAll(/(resourceVersion): "\d+"/g, "$1: VERSION")
      .replaceAll(/ (\d+[smhd])+(?=[ \n])/g, " AGE")
      .replaceAll(/[-\w/.]*\/(LIVE|MERGED)-\d+/g, "$1")
      .replaceAll(/^((---|\+\+\+) \S+)\s.*$/gm, "$1")
      // Only reported when the deletion took its time.
      .replaceAll(/^\S+ condition met\n/gm, "")
      .replaceAll(/ +/g, " ")
      .replaceAll(/-{4,}/g, "----")
  );
}

/** What kubectl writes, to either stream, whether it succeeds or not. */
async function type(
  kubectl: string,
  kubeconfig: string,
  parameters: readonly string[],
): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const overridden = await run(kubectl, parameters, { env, timeout: 30_000 }).catch(
    (error: unknown) => {
      if (error instanceof Error && "stderr" in error)
        return { stdout: "", stderr: String(error.stderr) };
      throw error;
    },
  );
  return overridden.stdout + overridden.stderr;
}
