import { execFile, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { blanked } from "./testing/comparison.ts";
import { EDITOR, REPAIRERS, SHOP_COMMANDS, SHOP_FILES } from "./testing/kubectl-shop.ts";
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

/** What a user types, and a text that the answer must contain. */
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

/** Such a command only reads, so it can be repeated. */
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

/** Returns what kubectl prints and its exit code, without values that every cluster generates. */
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

/** Also removes ages, and column widths, which depend on the addresses. */
function shown(text: string): string {
  return (
    blanked(text)
      .replaceAll(/(Timestamp|Time): "?[-:TZ0-9]+"?/g, "$1: TIME")
      .replaceAll(/(resourceVersion): "\d+"/g, "$1: VERSION")
      .replaceAll(/ (\d+[smhd])+(?=[ \n])/g, " AGE")
      .replaceAll(/[-\w/.]*\/(LIVE|MERGED)-\d+/g, "$1")
      .replaceAll(/^((---|\+\+\+) \S+)\s.*$/gm, "$1")
      // Only printed when the deletion takes time.
      .replaceAll(/^\S+ condition met\n/gm, "")
      .replaceAll(/ +/g, " ")
      .replaceAll(/-{4,}/g, "----")
  );
}

/** Returns what kubectl prints to either stream, whether it succeeds or not. */
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
