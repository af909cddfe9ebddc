import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster, testclusterFolder } from "./testcluster.ts";

const folder = testclusterFolder();
const MANIFESTS = fileURLToPath(new URL("../../../deploy/kubernetes", import.meta.url));
const ACCOUNT = "system:serviceaccount:kube-system:cloud-controller-manager";
let cluster: TestCluster;

describe.skipIf(folder === undefined)("deploy/kubernetes on a real API server", () => {
  beforeAll(async () => {
    if (folder !== undefined) cluster = await startTestCluster(folder);
    await cluster.kubectl("apply", "-k", MANIFESTS);
  });
  afterAll(() => cluster.stop());

  it("runs on the control plane, on nodes that nobody has initialised yet", async () => {
    const path = "jsonpath={.spec.template.spec.tolerations[*].key}";
    const keys = await cluster.kubectl(
      ...["get", "daemonset", "-n", "kube-system", "cloud-controller-manager", "-o", path],
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
  ])("may it %s %s? %s", async (verb, resource, answer) => {
    const asked = [
      "auth",
      "can-i",
      verb,
      ...resource.split(" "),
      "-n",
      "kube-system",
      "--as",
      ACCOUNT,
    ];
    // kubectl ends with 1 where the answer is no.
    const said = await cluster.kubectl(...asked).catch((error: { stdout: string }) => error.stdout);
    expect(said.trim()).toBe(answer);
  });
});
