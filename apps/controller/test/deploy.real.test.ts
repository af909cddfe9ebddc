import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster, testclusterFolder } from "./testcluster.ts";

const folder = testclusterFolder();
const MANIFESTS = fileURLToPath(new URL("../../../deploy/kubernetes", import.meta.url));
const COMPONENT = fileURLToPath(
  new URL("../../../deploy/rbac/service-account-credentials", import.meta.url),
);
const ACCOUNT = accountOf("cloud-controller-manager");
let cluster: TestCluster;

describe.skipIf(folder === undefined)("deploy/kubernetes on a real API server", () => {
  beforeAll(async () => {
    if (folder !== undefined) cluster = await startTestCluster(folder);
    await cluster.kubectl("apply", "-k", MANIFESTS);
  });
  afterAll(() => cluster.stop());

  it("runs on the control plane, on nodes that are not initialised yet", async () => {
    const path = "jsonpath={.spec.template.spec.tolerations[*].key}";
    const keys = await cluster.kubectl(
      ...["get", "daemonset", "-n", "kube-system", "cloudwright-controller", "-o", path],
    );
    expect(keys.split(" ")).toContain("node.cloudprovider.kubernetes.io/uninitialized");
  });

  it.each([
    ["patch", "nodes --subresource=status", "yes"],
    ["delete", "nodes", "yes"],
    ["patch", "services --subresource=status", "yes"],
    ["update", "leases/cloud-controller-manager", "yes"],
    ["update", "leases/kube-controller-manager", "no"],
    ["update", "configmaps/coredns", "no"],
    ["get", "secrets", "no"],
    ["patch", "services", "no"],
    ["create", "nodes", "no"],
    ["patch", "persistentvolumes", "no"],
    ["create", "serviceaccounts --subresource=token", "no"],
  ])("may it %s %s? %s", async (verb, resource, answer) => {
    expect(await mayDo(ACCOUNT, `${verb} ${resource}`)).toBe(answer);
  });
});

describe.skipIf(folder === undefined)("the component service-account-credentials", () => {
  beforeAll(async () => {
    if (folder !== undefined) cluster = await startTestCluster(folder);
    const overlay = mkdtempSync(
      fileURLToPath(new URL("../../../deploy/.overlay-", import.meta.url)),
    );
    try {
      const kustomization = {
        resources: [relative(overlay, MANIFESTS)],
        components: [relative(overlay, COMPONENT)],
      };
      writeFileSync(join(overlay, "kustomization.yaml"), JSON.stringify(kustomization));
      await cluster.kubectl("apply", "-k", overlay);
    } finally {
      rmSync(overlay, { recursive: true });
    }
  });
  afterAll(() => cluster.stop());

  it.each([
    [ACCOUNT, "create serviceaccounts --subresource=token", "no"],
    [ACCOUNT, "create serviceaccounts/node-controller --subresource=token", "yes"],
    [ACCOUNT, "get serviceaccounts/route-controller", "yes"],
    [ACCOUNT, "list nodes", "yes"],
    [ACCOUNT, "patch nodes --subresource=status", "no"],
    [ACCOUNT, "delete nodes", "no"],
    [ACCOUNT, "patch services --subresource=status", "no"],
    [accountOf("node-controller"), "patch nodes --subresource=status", "yes"],
    [accountOf("node-controller"), "get nodes", "yes"],
    [accountOf("route-controller"), "patch nodes --subresource=status", "yes"],
    [accountOf("service-controller"), "patch services --subresource=status", "yes"],
    [accountOf("volume-controller"), "patch persistentvolumes", "yes"],
  ])("lets %s %s: %s", async (account, asked, answer) => {
    expect(await mayDo(account, asked)).toBe(answer);
  });
});

function accountOf(name: string): string {
  return `system:serviceaccount:kube-system:${name}`;
}

async function mayDo(account: string, asked: string): Promise<string> {
  const words = ["auth", "can-i", ...asked.split(" "), "-n", "kube-system", "--as", account];
  // kubectl exits with 1 if the answer is no.
  const said = await cluster.kubectl(...words).catch((error: { stdout: string }) => error.stdout);
  return said.trim();
}
