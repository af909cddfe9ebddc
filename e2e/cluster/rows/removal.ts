import type { KubeObject } from "../../harness/kube.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import { type ClusterEnvironment, NAMESPACE, RELEASE, type Row } from "../environment.ts";

const UNINSTALL = ["uninstall", RELEASE, "--namespace", NAMESPACE, "--timeout", "4m"];
const OURS = /^cloudwright/;

export const removalRows: readonly Row[] = [
  {
    id: "I-15",
    title:
      "helm uninstall refuses while a Service has a load balancer, names it, and everything goes on",
    run: async (env) => {
      const refused = await env.helm(...UNINSTALL).then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
      demand(refused !== undefined, "it did not refuse");
      demand(refused.includes("default/web. Delete these Services"), refused);
      const service = await env.kube.get<Service>(`${SERVICES}/web`);
      demand(service.metadata.finalizers !== undefined, "the Service lost its finalizer");
      demand((await env.cloud.loadBalancers()).length > 0, "the cloud lost its load balancer");
      return undefined;
    },
  },
  {
    id: "I-16",
    title:
      "once the Service is gone, it leaves no Lease, role or load balancer behind, and says what it kept",
    run: async (env) => {
      await env.kubectl("delete", "service", "web", "--timeout=60s");
      const said = await env.helm(...UNINSTALL);
      demand(said.includes("Removed the Lease kube-system/cloud-controller-manager."), said);
      demand(/^Kept: /m.test(said), said);
      await eventually(() => demandNothingLeft(env), { withinMs: 60_000 });
      return /^Kept: .*$/m.exec(said)?.[0];
    },
  },
];

async function demandNothingLeft(env: ClusterEnvironment): Promise<void> {
  const { kube } = env;
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  const roles = "/apis/rbac.authorization.k8s.io/v1";
  const inNamespace = `namespaces/${NAMESPACE}`;
  for (const path of [
    ...[leases, `${roles}/clusterroles`, `${roles}/clusterrolebindings`, `${roles}/roles`],
    ...[`${roles}/rolebindings`, `/api/v1/${inNamespace}/pods`, `/api/v1/${inNamespace}/secrets`],
    ...[`/api/v1/${inNamespace}/services`, `/apis/apps/v1/${inNamespace}/deployments`],
  ]) {
    const { items } = await kube.list<KubeObject>(path);
    const left = items.map(({ metadata }) => metadata.name).filter((name) => isOurs(name));
    // The passwords stay as long as the database's volume.
    const kept = path.endsWith("/secrets") ? ["cloudwright-database"] : [];
    same(left, kept, `what is left at ${path}`);
  }
  const services = await kube.list<Service>("/api/v1/services");
  const held = services.items.filter(({ metadata }) => metadata.finalizers !== undefined);
  same(held.length, 0, "the number of Services with a finalizer");
  same(await env.cloud.loadBalancers(), [], "the load balancers in the cloud");
}

function isOurs(name: string): boolean {
  return OURS.test(name) || name === "cloud-controller-manager";
}
