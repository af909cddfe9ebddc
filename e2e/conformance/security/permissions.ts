import { hasEnded } from "../../harness/controller.ts";
import type { Node } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { accountToken, otherKubeconfig, type Rule } from "../clusters/accounts.ts";
import { shippedRights } from "../clusters/shipped-roles.ts";
import { isolatedRow } from "../environment/isolated.ts";
import { leaderAmong, leads, leaseOf } from "../environment/leading.ts";
import {
  createInstance,
  createNode,
  gone,
  hasTaint,
  initialised,
  internal,
  SHUTDOWN_KEY,
  setReady,
  untilNode,
} from "../environment/objects.ts";
import { row, type Scenario, Skip } from "../environment/scenario.ts";
import { createService, deleteService, served, serviceGone } from "../service/objects.ts";
import { CALLER_RIGHTS, FOLLOWED_CLIENT_CA } from "./caller-rights.ts";
import { IDENTITY_RIGHTS } from "./identity-rights.ts";
import { NODE_RIGHTS, NODE_RIGHTS_ALONE, POD_NETWORK_RIGHTS } from "./node-rights.ts";
import { ELECTION_RIGHTS, PROCESS_RIGHTS } from "./process-rights.ts";
import { SERVICE_RIGHTS, SERVICE_RIGHTS_ALONE, VOLUME_RIGHTS } from "./service-rights.ts";
import { isAbout, type TakenRightRow, withoutRight } from "./taken-right.ts";

const CORE = { apiGroups: [""] };
/** The ClusterRole for a cloud controller manager in the Kubernetes documentation, which lacks Leases. */
const DOCUMENTED_ROLE: readonly Rule[] = [
  { ...CORE, resources: ["events"], verbs: ["create", "patch", "update"] },
  { ...CORE, resources: ["nodes"], verbs: ["*"] },
  { ...CORE, resources: ["nodes/status"], verbs: ["patch"] },
  { ...CORE, resources: ["services"], verbs: ["list", "patch", "update", "watch"] },
  { ...CORE, resources: ["serviceaccounts"], verbs: ["create"] },
  { ...CORE, resources: ["persistentvolumes"], verbs: ["get", "list", "update", "watch"] },
  { ...CORE, resources: ["endpoints"], verbs: ["create", "get", "list", "watch", "update"] },
];

/** Row H-27: the permissions that the documentation omits. */
export const DOCUMENTED_PERMISSIONS: Scenario = isolatedRow(
  "H-27",
  "with the documentation's example role alone it cannot lead, and says which permission it lacks",
  async (env) => {
    const { kubeconfig } = env.cluster;
    const start = async (name: string, rules: readonly Rule[]) => {
      const token = await accountToken(env.kube, `h-27-${name}`, rules);
      const config = otherKubeconfig(kubeconfig, { dir: env.dir, name: `role-${name}`, token });
      return env.launch({ name, kubeconfig: config });
    };
    const a = await start("a", DOCUMENTED_ROLE);
    // DESIGN.md "Permissions": without this right it does not even know in which cluster it is.
    const readsNamespace = { ...CORE, resources: ["namespaces"], verbs: ["get"] };
    const b = await start("b", [...DOCUMENTED_ROLE, readsNamespace]);
    for (const [replica, missing] of [
      [a, /ERROR.*get.*namespaces?.*kube-system/],
      [b, /(WARN|ERROR).*leases?/],
    ] as const) {
      await eventually(() => {
        const lines = replica.output().split("\n");
        const reported = lines.filter((line) => line.toLowerCase().includes("forbid"));
        demand(
          reported.some((line) => missing.test(line)),
          `it does not say what it lacks: ${lines.slice(-5).join("\n")}`,
        );
      });
    }
    await always(
      async () => {
        for (const replica of [a, b]) {
          demand(!hasEnded(replica), `${replica.name} ended`);
          same(await leads(replica), false, `that ${replica.name} leads`);
        }
      },
      { forMs: 5_000 },
    );
    same(await leaseOf(env), undefined, "the Lease");
  },
);

const ROWS: readonly TakenRightRow[] = [
  ...PROCESS_RIGHTS,
  ...ELECTION_RIGHTS,
  ...NODE_RIGHTS,
  ...SERVICE_RIGHTS,
  ...CALLER_RIGHTS,
];

/** Rows on nodes and Services that other rows' controllers might also change. */
const ALONE: readonly TakenRightRow[] = [
  ...SERVICE_RIGHTS_ALONE,
  ...NODE_RIGHTS_ALONE,
  ...POD_NETWORK_RIGHTS,
];

const EVERY_ROW = [...ROWS, ...ALONE, ...VOLUME_RIGHTS, ...IDENTITY_RIGHTS];

/** What happens without each right of `deploy/rbac`: the rows that may run at once. */
export const TAKEN_RIGHTS: readonly Scenario[] = [
  row(
    "P-00",
    "each right that each file of the shipped roles grants has a row that takes it away",
    async () => {
      const untried = shippedRights().filter(
        ({ part, identity, rule }) =>
          !EVERY_ROW.some(
            (row) => row.part === part && row.identity === identity && isAbout(rule, row),
          ),
      );
      same(untried, [], "rights without a row");
    },
  ),
  ...ROWS.map(withoutRight),
  FOLLOWED_CLIENT_CA,
];

/** One after the other: two controllers with the same node or Service would hide what one of them lacks. */
export const TAKEN_RIGHTS_ALONE: readonly Scenario[] = ALONE.map(withoutRight);

/** One after the other as well: all rows share the service accounts of controllers. */
export const TAKEN_RIGHTS_OVER_VOLUMES: readonly Scenario[] = [
  ...VOLUME_RIGHTS,
  ...IDENTITY_RIGHTS,
].map(withoutRight);

/** Row H-26: everything that the controllers do, as a service account with only the roles of `deploy/rbac`. */
export const SHIPPED_PERMISSIONS: Scenario = isolatedRow(
  "H-26",
  "the shipped roles are enough for nodes, Services, routes, the Lease and callers, and nothing is refused",
  async (env) => {
    const { cluster } = env;
    const before = await cluster.refusals();
    if (before === undefined) throw new Skip("this cluster keeps no record of what it refused");
    const kubeconfig = cluster.controllerKubeconfig;
    const replica = await env.start({
      flags: {
        "--leader-elect-resource-name": "cloud-controller-manager",
        "--authentication-kubeconfig": kubeconfig,
        "--authorization-kubeconfig": kubeconfig,
        "--allocate-node-cidrs": "true",
        "--configure-cloud-routes": "true",
        "--cluster-cidr": "10.226.0.0/16",
      },
    });
    await leaderAmong([replica]);
    const { id } = await createInstance(env, "h-26", { addresses: [internal("10.226.0.1")] });
    await createNode(env, "h-26");
    await initialised(env, "h-26");
    await untilNode(env, "h-26", { check: isReachable });
    await createService(env, "h-26");
    await served(env, "h-26");
    await deleteService(env, "h-26");
    await serviceGone(env, "h-26");
    await env.cloud.stop(id);
    await setReady(env, "h-26", "False");
    await untilNode(env, "h-26", {
      check: (node) => demand(hasTaint(node, SHUTDOWN_KEY), "it has no shutdown taint"),
    });
    await env.cloud.remove(id);
    await gone(env, "h-26");
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    demand(health.includes("[+]permissions ok (all granted)"), `health says ${health}`);
    await replica.stop();
    const refused = (await cluster.refusals())?.slice(before.length);
    same(
      refused?.map(({ verb, path }) => `${verb} ${path}`),
      [],
      "what was refused",
    );
  },
);

/** Checks that it has a pod range, and a route to it. */
function isReachable({ spec, status }: Node): void {
  demand(spec.podCIDR !== undefined, "it has no pod range");
  const network = status.conditions?.find(({ type }) => type === "NetworkUnavailable");
  same(network?.status, "False", "its condition NetworkUnavailable");
}
