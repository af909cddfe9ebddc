import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { accountToken, otherKubeconfig, type Rule } from "../clusters/accounts.ts";
import { isolatedRow } from "../environment/isolated.ts";
import { leads, leaseOf } from "../environment/leading.ts";
import type { Scenario } from "../environment/scenario.ts";

const CORE = { apiGroups: [""] };
/** The ClusterRole that Kubernetes' documentation shows for a cloud controller manager; Leases are not in it. */
const DOCUMENTED_ROLE: readonly Rule[] = [
  { ...CORE, resources: ["events"], verbs: ["create", "patch", "update"] },
  { ...CORE, resources: ["nodes"], verbs: ["*"] },
  { ...CORE, resources: ["nodes/status"], verbs: ["patch"] },
  { ...CORE, resources: ["services"], verbs: ["list", "patch", "update", "watch"] },
  { ...CORE, resources: ["serviceaccounts"], verbs: ["create"] },
  { ...CORE, resources: ["persistentvolumes"], verbs: ["get", "list", "update", "watch"] },
  { ...CORE, resources: ["endpoints"], verbs: ["create", "get", "list", "watch", "update"] },
];

/** Row H-27: the permissions that the documentation forgets. */
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
    // DESIGN.md "Permissions": without this one it cannot even tell which cluster it is in.
    const readsNamespace = { ...CORE, resources: ["namespaces"], verbs: ["get"] };
    const b = await start("b", [...DOCUMENTED_ROLE, readsNamespace]);
    for (const [replica, missing] of [
      [a, /ERROR.*get.*namespaces?.*kube-system/],
      [b, /(WARN|ERROR).*leases?/],
    ] as const) {
      await eventually(() => {
        const lines = replica.output().split("\n");
        const told = lines.filter((line) => line.toLowerCase().includes("forbid"));
        demand(
          told.some((line) => missing.test(line)),
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
