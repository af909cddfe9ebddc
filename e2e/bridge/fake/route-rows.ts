import type { Node } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import {
  type FakeEnvironment,
  type FakeRow,
  holds,
  register,
  untilEvent,
  untilNode,
} from "./environment.ts";

export const routeRows: readonly FakeRow[] = [
  {
    ...{ id: "R-01", title: "a Node's pod range gets a route, and its condition says so" },
    run: async (env) => {
      await joined(env, "r-01", "10.120.1.0/24");
      await hasRoute(env, "r-01");
    },
  },
  {
    ...{ id: "R-10", title: "a Node without a range gets neither" },
    run: async (env) => {
      await joined(env, "r-10");
      await holds(env, () =>
        same(conditionOf(env.nodes.get("r-10")), undefined, "NetworkUnavailable"),
      );
    },
  },
  {
    ...{ id: "R-12", title: "and gets both with a range later" },
    run: async (env) => {
      await joined(env, "r-12");
      const podCIDR = "10.120.12.0/24";
      const spec = { podCIDR, podCIDRs: [podCIDR] };
      await env.kube.patch("/api/v1/nodes/r-12", "merge", { spec });
      await hasRoute(env, "r-12");
    },
  },
  {
    ...{ id: "R-13", title: "a creation that fails is reported, and made up for" },
    run: async (env) => {
      env.cloud.befall("CreateRoute", { error: "out of order" });
      await joined(env, "r-13", "10.120.13.0/24");
      await untilNode(env, "r-13", (node) =>
        same(conditionOf(node), "True NoRouteCreated", "NetworkUnavailable"),
      );
      await untilEvent(env, "r-13", "FailedToCreateRoute");
      env.cloud.befall("CreateRoute", undefined);
      await hasRoute(env, "r-13");
    },
  },
  {
    ...{ id: "R-14", title: "while routes cannot be listed none is made" },
    run: async (env) => {
      env.cloud.befall("ListRoutes", { error: "out of order" });
      // Until passes are over that have read the routes before.
      await holds(env, () => {});
      await joined(env, "r-14", "10.120.14.0/24");
      await holds(env, () => {
        const condition = conditionOf(env.nodes.get("r-14"));
        demand(condition !== "False RouteCreated", `NetworkUnavailable is ${condition}`);
      });
      env.cloud.befall("ListRoutes", undefined);
      await hasRoute(env, "r-14");
    },
  },
];

async function joined(env: FakeEnvironment, name: string, podCIDR?: string) {
  env.cloud.put(name);
  await register(env, name, podCIDR === undefined ? {} : { podCIDR });
}

async function hasRoute(env: FakeEnvironment, name: string) {
  await untilNode(env, name, (node) =>
    same(conditionOf(node), "False RouteCreated", "NetworkUnavailable"),
  );
}

function conditionOf(node: Node | undefined): string | undefined {
  const found = node?.status.conditions?.find(({ type }) => type === "NetworkUnavailable");
  return found && `${found.status} ${found.reason}`;
}
