import { startDashboard } from "../../harness/dashboard.ts";
import { rowsOf } from "../../harness/database.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  eventsOf,
  hasTaint,
  internal,
  seen,
  setReady,
  UNINITIALIZED,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { joined } from "../node-lifecycle/objects.ts";
import { CREATE, CREATED, callsOf, condition, leadsTo } from "../route/objects.ts";
import { createMember, createService, untilLoadBalancer } from "../service/objects.ts";

const RANGES = "10.170.0.0/16";
const ALONE = { "--leader-elect": "false" };
const ALL_OF_NODES = {
  ...ALONE,
  "--controllers": "*,node-ipam-controller",
  "--allocate-node-cidrs": "true",
  "--configure-cloud-routes": "true",
  "--cluster-cidr": RANGES,
};
const LIFECYCLE = "cloud-node-lifecycle-controller";
const ROUTES = "node-route-controller";
/** A failure that may be temporary does not count as stuck before this; objects stuck sooner are so because of the kind of failure. */
const STUCK_AFTER_MS = 120_000;

/** Rows B-70 to B-75: what the pages say about objects at bad moments. These numbers are ours. */
export const TRUTHFUL_STATES: readonly Scenario[] = isolatedRows({
  "B-70 a node of which not all controllers have reported is never OK, and the cluster is not called known":
    async (env) => {
      const lift = await env.cloud.faultOnReads({ hang: true });
      await env.start({ flags: ALL_OF_NODES });
      const names = ["b-70-1", "b-70-2", "b-70-3"];
      for (const name of names) {
        await createInstance(env, name, { addresses: [internal(`10.70.70.${name.at(-1)}`)] });
        await createNode(env, name);
      }
      for (const name of names) {
        await untilState(env, name, ({ parts }) =>
          demand("node-ipam-controller" in parts, `${name} has no pod range yet`),
        );
      }
      const coverage = await coverageOf(env);
      await eventually(async () => {
        const { present, uninitialised } = await coverage();
        same([present, uninitialised], [3, 3], "nodes, and those that are not initialised");
      });
      await always(
        async () => {
          for (const name of names) {
            const tainted = hasTaint(seen(env, name), UNINITIALIZED.key);
            const { state } = await stateOf(env, name);
            demand(tainted && state !== "ok", `${name} is ${state}`);
          }
        },
        { forMs: 3_000 },
      );
      await lift();
      for (const name of names) {
        await untilState(env, name, ({ state }) => same(state, "ok", `the state of ${name}`));
      }
      await eventually(async () => {
        const { present, reported, uninitialised } = await coverage();
        same([present, reported, uninitialised], [3, 3, 0], "present, reported, uninitialised");
      });
    },
  "B-71 a controller that runs no more neither keeps a node waiting for its word nor stuck by its last one":
    async (env) => {
      // One block of pods: the second node gets none.
      const full = { ...ALL_OF_NODES, "--cluster-cidr": "10.171.0.0/24" };
      const all = await env.start({ name: "all", flags: full });
      await joined(env, "b-71-1", { ready: "True" });
      await joined(env, "b-71-2", { ready: "True" });
      await eventually(async () => {
        const states = [await stateOf(env, "b-71-1"), await stateOf(env, "b-71-2")];
        const stuck = states.filter(({ state }) => state === "stuck");
        same(stuck.length, 1, "how many are stuck");
        same(stuck[0]?.reason_code, "PodCIDRsExhausted", "why");
      });
      await all.stop();
      await env.start({ name: "few", flags: { ...ALONE, "--controllers": "cloud-node" } });
      await createInstance(env, "b-71-3", { addresses: [internal("10.70.71.3")] });
      await createNode(env, "b-71-3", { ready: "False" });
      for (const name of ["b-71-1", "b-71-2", "b-71-3"]) {
        await untilState(env, name, ({ state }) => same(state, "ok", `the state of ${name}`));
      }
    },
  "B-72 a node whose deletion the guard holds is Held, and no route is tried to its missing machine":
    async (env) => {
      await env.electIn(NAMESPACE);
      await env.start({ flags: HOLDING });
      const names = Array.from({ length: 6 }, (_, index) => `b-72-${index + 1}`);
      const ids = await Promise.all(names.map((name) => withRoute(env, name)));
      await env.cloud.forgetCalls();
      const [, ...lost] = names;
      for (const id of ids.slice(1)) await env.cloud.remove(id);
      await Promise.all(lost.map((name) => setReady(env, name, "Unknown")));
      const held = lost.filter((name) => env.nodes.get(name) !== undefined);
      await eventually(async () => {
        const left = held.filter((name) => env.nodes.get(name) !== undefined);
        same(left.length, lost.length - LIMIT, "the nodes left");
        for (const name of left) {
          const { state, reason_code, parts } = await stateOf(env, name);
          same([state, reason_code], ["held", "DeletionGuardHeld"], `what is shown of ${name}`);
          same(parts[ROUTES]?.reason.code, "RouteWithoutMachine", `the reason of its route`);
          same(parts[ROUTES]?.state, "waiting", "the state of its route");
          same(parts[LIFECYCLE]?.detail.answer.kind, "absent", "what the cloud said last");
        }
      });
      same(await callsOf(env, CREATE), 0, "routes that were tried");
      const reported = lost.flatMap((name) => eventsOf(env, name)).map(({ reason }) => reason);
      demand(!reported.includes("FailedToCreateRoute"), `the Events are ${reported}`);
    },
  "B-73 a label that the API refuses makes its node stuck at once, and well as soon as it is corrected":
    async (env) => {
      await env.start({ flags: { ...ALONE, "--controllers": "cloud-node" } });
      const { id } = await createInstance(env, "b-73", {
        addresses: [internal("10.70.73.1")],
        labels: { "example.org/rack": "two words" },
      });
      await createNode(env, "b-73");
      await stuckAtOnce(env, "b-73", "LabelInvalid");
      await env.cloud.change(id, { labels: { "example.org/rack": "r1" } });
      await untilState(env, "b-73", ({ state }) => same(state, "ok", "its state"));
    },
  "B-74 a quota that is used up makes node and Service stuck at once": async (env) => {
    await env.cloud.setFaults({ quotas: { routes: 0, loadBalancers: 0 } });
    await env.start({
      flags: { ...ALL_OF_NODES, "--controllers": "cloud-node,route,service" },
    });
    await joined(env, "b-74-1", { ready: "True", podCIDRs: ["10.170.74.0/24"] });
    await stuckAtOnce(env, "b-74-1", "RouteTableFull");
    await createService(env, "b-74-web");
    await stuckAtOnce(env, "default/b-74-web", "ProviderQuotaExceeded");
  },
  "B-75 a load balancer that lacks a wanted member is not OK, and says which machine is missing":
    async (env) => {
      await env.start({
        flags: { ...ALONE, "--controllers": "service", "--load-balancer-drift-period": "2s" },
      });
      await createMember(env, "b-75-1");
      await createNode(env, "b-75-2", { taints: [], providerID: "sandbox://i-not-there" });
      await createService(env, "b-75-web");
      await untilLoadBalancer(env, "b-75-web", {
        check: ({ members }) => same(members.length, 1, "members"),
      });
      const service = "default/b-75-web";
      await untilState(env, service, ({ drift, members_in, members_wanted }) =>
        same([drift, members_in, members_wanted], ["drifted", 1, 2], "drift and members"),
      );
      await untilState(env, service, ({ state, reason_code }) =>
        same([state, reason_code], ["waiting", "BalancerMemberGone"], "its state"),
      );
      await env.kube.delete("/api/v1/nodes/b-75-2");
      await untilState(env, service, ({ state, drift }) =>
        same([state, drift], ["ok", "inStep"], "state and drift once the node is gone"),
      );
    },
});

const LIMIT = 2;
/** The ConfigMap with the guard's window is in the Lease's namespace, which other rows must not share. */
const NAMESPACE = "conformance-b-72";
const HOLDING = {
  ...ALL_OF_NODES,
  "--leader-elect": "true",
  "--controllers": "cloud-node,cloud-node-lifecycle,route",
  "--leader-elect-resource-namespace": NAMESPACE,
  "--node-deletion-guard": `${LIMIT},10%,10m`,
};

/** Creates an initialised node whose route is made and reported; returns the machine's id. */
async function withRoute(env: IsolatedEnvironment, name: string): Promise<string> {
  const range = `10.170.${name.at(-1)}.0/24`;
  const id = await joined(env, name, { ready: "True", podCIDRs: [range] });
  await leadsTo(env, range, { id });
  await condition(env, name, CREATED);
  return id;
}

interface StateRow extends Record<string, unknown> {
  readonly state: string;
  readonly reason_code: string;
  readonly drift: string;
  readonly members_in: number | null;
  readonly members_wanted: number | null;
  /** From the row's first failure to its last report, in milliseconds. */
  readonly lasted: number;
  readonly parts: Readonly<Partial<Record<string, StoredPart>>>;
}

interface StoredPart {
  readonly state: string;
  readonly reason: { readonly code: string };
  readonly detail: { readonly answer: { readonly kind: string } };
}

/** Returns what the pages show about a Node, or about a Service by `namespace/name`. */
async function stateOf({ databaseUrl }: IsolatedEnvironment, name: string): Promise<StateRow> {
  const kind = name.includes("/") ? "Service" : "Node";
  const [row] = await rowsOf<StateRow>(
    databaseUrl ?? "",
    `SELECT object.state, object.reason_code, object.drift, members_in, members_wanted, object.parts,
            (extract(epoch FROM object.updated_at - object.since) * 1000)::float8 AS lasted
       FROM all_states AS object LEFT JOIN load_balancer_states USING (cluster_id, kind, name)
      WHERE kind = $1 AND name = $2`,
    [kind, name],
  );
  demand(row !== undefined, `nothing is known of ${name}`);
  return row;
}

export async function untilState(
  env: IsolatedEnvironment,
  name: string,
  check: (row: StateRow) => void,
): Promise<void> {
  await eventually(async () => check(await stateOf(env, name)));
}

async function stuckAtOnce(env: IsolatedEnvironment, name: string, reason: string): Promise<void> {
  await untilState(env, name, (row) => {
    same([row.state, row.reason_code], ["stuck", reason], `the state of ${name}`);
    demand(row.lasted < STUCK_AFTER_MS, `${name} became stuck by time: after ${row.lasted} ms`);
  });
}

interface Coverage {
  readonly present: number;
  readonly reported: number;
  readonly uninitialised: number;
}

/** Returns what the Overview says about how many of the nodes are known. */
async function coverageOf(env: IsolatedEnvironment): Promise<() => Promise<Coverage>> {
  const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
  env.after(() => dashboard.stop());
  const session = await dashboard.signIn("viewer");
  const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
  return async () => {
    const view = await dashboard.query<{ health: { coverage: { Node: Coverage } } }>(
      session,
      "overview.byCluster",
      { cluster },
    );
    return view.health.coverage.Node;
  };
}
