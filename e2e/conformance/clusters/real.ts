import { Kube } from "../../harness/kube.ts";
import type { OpenedCluster, Refusal } from "./cluster-under-test.ts";

interface RealCluster {
  readonly kind: "testcluster" | "file";
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** Opens any real API server: writes are refused by a ValidatingAdmissionPolicy, and no record of requests can be read. */
export function realCluster({ kind, kubeconfig, close }: RealCluster): OpenedCluster {
  const kube = new Kube(kubeconfig);
  return {
    kind,
    kubeconfig,
    refuse: (rule) => refuseByPolicy(kube, rule),
    writes: async () => undefined,
    serviceWrites: async () => undefined,
    requestsOf: async () => undefined,
    refusals: async () => undefined,
    close: async () => {
      await kube.close();
      await close();
    },
  };
}

async function refuseByPolicy(
  kube: Kube,
  { name, verb, node, message }: Refusal,
): Promise<() => Promise<void>> {
  const api = "/apis/admissionregistration.k8s.io/v1";
  const path = `${api}/validatingadmissionpolicies`;
  const bindings = `${api}/validatingadmissionpolicybindings`;
  const deletion = verb === "DELETE";
  await kube.create(path, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: [deletion ? "DELETE" : "UPDATE"],
            resources: [verb === "PATCH_STATUS" ? "nodes/status" : "nodes"],
            resourceNames: [node],
          },
        ],
      },
      validations: [{ expression: "false", message }],
    },
  });
  await kube.create(bindings, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  });
  await policyInForce(kube, { verb, node });
  return async () => {
    await kube.delete(`${bindings}/${name}`);
    await kube.delete(`${path}/${name}`);
  };
}

/** Admission policies take a moment to take effect: a dry run of a write that must be refused shows when. */
async function policyInForce(
  kube: Kube,
  { verb, node }: Pick<Refusal, "verb" | "node">,
): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const tried =
      verb === "DELETE"
        ? kube.delete(`/api/v1/nodes/${node}?dryRun=All`)
        : kube.patch(
            `/api/v1/nodes/${node}${verb === "PATCH" ? "" : "/status"}?dryRun=All`,
            "merge",
            { metadata: { annotations: {} } },
          );
    const refused = await tried.then(
      () => false,
      () => true,
    );
    if (refused) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the admission policy against ${verb} ${node} did not come into force`);
}
