import { demand, same } from "../../harness/wait.ts";
import { ACCOUNTS_NAMESPACE } from "../clusters/accounts.ts";
import type { IsolatedEnvironment } from "../environment/isolated.ts";
import { createMember, createService, editService, served } from "../service/objects.ts";
import { losesEvents, type TakenRightRow } from "./taken-right.ts";
import { SERVICES_ALONE, says, serviceWaits } from "./taken-right-parts.ts";

/** Of the controller of Services. */
export const SERVICE_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-17",
    part: "service-cache",
    verb: "watch",
    resource: "services",
    title: "the mirror of Services is interrupted, and it says so",
    flags: SERVICES_ALONE,
    shows: (_, replica) => says(replica, /The watch of services was interrupted/),
  },
];

const SYSTEM_NAMESPACE = "kube-system";

/** The same, of Services that other rows' controllers might touch as well. */
export const SERVICE_RIGHTS_ALONE: readonly TakenRightRow[] = [
  {
    id: "P-05",
    part: "events",
    verb: "patch",
    resource: "events",
    title: "what happens again is told once, and counted as lost",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      const { name } = env;
      await createMember(env, name);
      await createService(env, name);
      await served(env, name);
      await editService(env, name, { spec: { ports: [{ name: "web", port: 81 }] } });
      await losesEvents(replica, "service-controller");
      const counts = env.events
        .all()
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason, count }) => `${reason} ${count ?? 1}`);
      same(
        counts.filter((each) => !each.endsWith(" 1")),
        [],
        "Events that were counted up",
      );
    },
  },
  {
    id: "P-16",
    part: "service-cache",
    verb: "list",
    resource: "services",
    title: "no Service is served, and it is not ready",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      same((await replica.ask("/readyz"))?.status, 500, "the readiness");
    },
  },
  {
    id: "P-25",
    part: "service",
    verb: "patch",
    resource: "services/status",
    title: "a Service gets neither finalizer nor balancer",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      await says(replica, /services.*forbidden|KubeForbidden/i);
    },
  },
  {
    id: "P-64",
    part: "process",
    verb: "get",
    resource: "namespaces",
    name: SYSTEM_NAMESPACE,
    title: "no Service is touched, as nothing could carry this cluster's mark, until it is granted",
    flags: SERVICES_ALONE,
    shows: async (env, replica) => {
      await serviceWaits(env);
      await says(replica, /Not started: the cluster's identity is unknown/);
      await grantNamespace(env);
      await served(env, env.name, 90_000);
      await says(replica, /The cluster's identity is now known/);
      const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
      demand(!health.includes("cluster-identity"), `health says ${health}`);
    },
  },
];

/** As an operator would who reads what the log says. */
async function grantNamespace({ kube, name, after }: IsolatedEnvironment): Promise<void> {
  const api = "/apis/rbac.authorization.k8s.io/v1";
  const metadata = { name: `conformance-${name}-namespace` };
  after(() => kube.delete(`${api}/clusterrolebindings/${metadata.name}`));
  after(() => kube.delete(`${api}/clusterroles/${metadata.name}`));
  await kube.create(`${api}/clusterroles`, {
    metadata,
    rules: [
      {
        apiGroups: [""],
        resources: ["namespaces"],
        resourceNames: [SYSTEM_NAMESPACE],
        verbs: ["get"],
      },
    ],
  });
  await kube.create(`${api}/clusterrolebindings`, {
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name, namespace: ACCOUNTS_NAMESPACE }],
  });
}
