import {
  type Balancer,
  CLUSTER_TAG,
  SERVICE_TAG,
  SERVICE_UID_TAG,
} from "../../harness/balancers.ts";
import { same } from "../../harness/wait.ts";
import { row, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  balancerFor,
  deleteService,
  editSpec,
  noBalancer,
  preparedService,
  serviceGone,
  untilBalancer,
} from "./objects.ts";

/** Rows about whose a balancer is. */
export const SERVICE_OWNERSHIP: readonly Scenario[] = [
  row(
    "S-80",
    "of two balancers of one name only the Service's own is changed and removed",
    async (env) => {
      await preparedService(env, "s-80");
      const own = await balancerFor(env, "s-80");
      const foreign = await createForeign(env, own.name);
      await editSpec(env, "s-80", { ports: [{ name: "other", protocol: "TCP", port: 81 }] });
      await untilBalancer(env, "s-80", {
        check: ({ id, listeners }) => {
          same(id, own.id, "the balancer");
          same(listeners[0]?.port, 81, "its port");
        },
      });
      await deleteService(env, "s-80");
      await serviceGone(env, "s-80");
      await noBalancer(env, "s-80");
      const now = await env.cloud.v1<Balancer>("GET", `/v1/load-balancers/${foreign.id}`);
      same(now.listeners, foreign.listeners, "the listeners of the foreign one");
      same(now.state, "active", "the state of the foreign one");
    },
  ),
];

/** One of another cluster that happens to have the same name. */
function createForeign(env: SharedEnvironment, name: string): Promise<Balancer> {
  const tags = {
    [CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000",
    [SERVICE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
    [SERVICE_TAG]: "elsewhere/web",
  };
  const listeners = [{ name: "http", protocol: "TCP", port: 8_088, nodePort: 30_088 }];
  return env.cloud.v1("POST", "/v1/load-balancers", { name, tags, listeners });
}
