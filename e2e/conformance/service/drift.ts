import {
  CLUSTER_TAG,
  dropLoadBalancer,
  editLoadBalancer,
  type LoadBalancer,
  SERVICE_TAG,
  SERVICE_UID_TAG,
} from "../../harness/load-balancers.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { eventCount, inLedger, notReported, statusWrites, warnedOf } from "./evidence.ts";
import {
  createService,
  deleteService,
  editSpec,
  HTTP,
  ingressOf,
  loadBalancerFor,
  loadBalancersFor,
  noLoadBalancer,
  preparedService,
  seenService,
  served,
  serviceGone,
  standingMember,
  untilLoadBalancer,
  untilService,
} from "./objects.ts";

/** The drift period of the group, in milliseconds. */
export const DRIFT_PERIOD_MS = 4_000;
const WITHIN_MS = DRIFT_PERIOD_MS + 8_000;

/** Rows about changes that somebody makes to a load balancer in the cloud. */
export const DRIFT: readonly Scenario[] = rows({
  "S-63 a load balancer that somebody deletes in the cloud is made again, with Event and ledger row":
    async (env) => {
      await preparedService(env, "s-63");
      const old = await loadBalancerFor(env, "s-63");
      const reported = eventCount(env, "s-63", "EnsuredLoadBalancer");
      await dropLoadBalancer(env.cloud, old.id);
      const now = await untilLoadBalancer(env, "s-63", {
        withinMs: WITHIN_MS,
        check: ({ id }) => demand(id !== old.id, "it is the old one"),
      });
      await untilService(env, "s-63", {
        check: (service) => same(ingressOf(service)[0]?.ip, now.address, "where it is reached"),
      });
      await eventually(() =>
        demand(eventCount(env, "s-63", "EnsuredLoadBalancer") > reported, "no Event reports it"),
      );
      await inLedger(env, "s-63", { outcome: "changed" });
    },
  "S-64 a listener that somebody edits in the cloud is put right within the drift period": async (
    env,
  ) => {
    await preparedService(env, "s-64");
    const { id, listeners } = await loadBalancerFor(env, "s-64");
    const [first] = listeners;
    await editLoadBalancer(env.cloud, id, { listeners: [{ ...first, port: 8_064 }] });
    await untilLoadBalancer(env, "s-64", {
      withinMs: WITHIN_MS,
      check: (loadBalancer) => same(loadBalancer.listeners, listeners, "the listeners"),
    });
    same((await loadBalancerFor(env, "s-64")).id, id, "the load balancer");
  },
  "S-79 a load balancer that the cloud calls broken is reported and repaired, and never duplicated":
    async (env) => {
      await preparedService(env, "s-79");
      const { id } = await loadBalancerFor(env, "s-79");
      await editLoadBalancer(env.cloud, id, {
        state: "error",
        errorMessage: "disk of s-79 is gone",
      });
      await warnedOf(env, "s-79", ["SyncLoadBalancerFailed", "disk of s-79 is gone"]);
      await eventually(
        async () => {
          const all = await loadBalancersFor(env, "s-79");
          if (all.length > 1) throw new Error("never two load balancers for one Service");
          same(all[0]?.state, "active", "its state");
        },
        { withinMs: 30_000 },
      );
    },
});

/** Rows with a slow cloud; each sets its delay, so they run one after the other. */
export const SLOW_CLOUD: readonly Scenario[] = rows({
  "S-78 no address is published before the load balancer is active, and then once": async (env) => {
    await standingMember(env);
    await env.cloud.setFaults({ provisioningMs: 5_000 });
    await createService(env, "s-78");
    await eventually(async () =>
      same((await loadBalancerFor(env, "s-78")).state, "provisioning", "its state"),
    );
    const stop = env.services.onChange((_, service) => {
      if (service.metadata.name === "s-78" && ingressOf(service).length > 0)
        reportedAt ??= Date.now();
    });
    let reportedAt: number | undefined;
    await served(env, "s-78");
    stop();
    const { createdAt } = await loadBalancerFor(env, "s-78");
    const after = (reportedAt ?? 0) - Date.parse(createdAt);
    demand(after >= 5_000, `the address was published after ${after} ms`);
    const writes = await statusWrites(env, "s-78");
    demand(writes === undefined || writes === 1, `${writes} writes of the status`);
    notReported(env, "s-78", "SyncLoadBalancerFailed");
  },
  "S-77 an edit while the load balancer is made is neither lost nor a failure": async (env) => {
    await standingMember(env);
    await env.cloud.setFaults({ provisioningMs: 8_000 });
    await createService(env, "s-77");
    const first = await untilLoadBalancer(env, "s-77", {
      check: ({ state }) => same(state, "provisioning", "its state"),
    });
    await always(() => undefined, { forMs: 2_000 });
    await editSpec(env, "s-77", { ports: [{ ...HTTP, port: 81 }] });
    await untilLoadBalancer(env, "s-77", {
      withinMs: 45_000,
      check: ({ id, listeners, state }) => {
        same([id, listeners[0]?.port, state], [first.id, 81, "active"], "the load balancer");
      },
    });
    await served(env, "s-77");
    same(ingressOf(seenService(env, "s-77")).length, 1, "addresses");
    notReported(env, "s-77", "SyncLoadBalancerFailed");
    await env.cloud.setFaults({});
  },
});

/** Rows about the owner of a load balancer. */
export const SERVICE_OWNERSHIP: readonly Scenario[] = rows({
  "S-80 of two load balancers of one name only the Service's own is changed and removed": async (
    env,
  ) => {
    await preparedService(env, "s-80");
    const own = await loadBalancerFor(env, "s-80");
    const foreign = await createForeign(env, own.name);
    await editSpec(env, "s-80", { ports: [{ name: "other", protocol: "TCP", port: 81 }] });
    await untilLoadBalancer(env, "s-80", {
      check: ({ id, listeners }) => {
        same(id, own.id, "the load balancer");
        same(listeners[0]?.port, 81, "its port");
      },
    });
    await deleteService(env, "s-80");
    await serviceGone(env, "s-80");
    await noLoadBalancer(env, "s-80");
    const now = await env.cloud.v1<LoadBalancer>("GET", `/v1/load-balancers/${foreign.id}`);
    same(now.listeners, foreign.listeners, "the listeners of the foreign one");
    same(now.state, "active", "the state of the foreign one");
  },
});

/** Creates a load balancer of another cluster that happens to have the same name. */
function createForeign(env: SharedEnvironment, name: string): Promise<LoadBalancer> {
  const tags = {
    [CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000",
    [SERVICE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
    [SERVICE_TAG]: "elsewhere/web",
  };
  const listeners = [{ name: "http", protocol: "TCP", port: 8_088, nodePort: 30_088 }];
  return env.cloud.v1("POST", "/v1/load-balancers", { name, tags, listeners });
}
