import { startDashboard } from "../../harness/dashboard.ts";
import { rowsOf } from "../../harness/database.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
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
import { onStage, type Stage } from "../environment/stage.ts";
import { joined } from "../node-lifecycle/objects.ts";
import { CREATE, callsOf, leadsTo } from "../route/objects.ts";
import { createMember, createService, untilBalancer } from "../service/objects.ts";

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
/** What may pass by itself makes nothing stuck sooner: what is stuck before is so for the kind of its fault. */
const STUCK_AFTER_MS = 120_000;

/** Rows B-70 to B-75: what the pages say of objects at bad moments. Numbers are ours. */
export const TRUTHFUL_STATES: readonly Scenario[] = [
  onStage(
    "B-70",
    "a node of which not all controllers have reported is never OK, and the cluster is not called known",
    async (stage) => {
      const lift = await stage.cloud.fault({ method: "GET", path: "/v1/instances*", hang: true });
      await stage.start({ flags: ALL_OF_NODES });
      const names = ["b-70-1", "b-70-2", "b-70-3"];
      for (const name of names) {
        await createInstance(stage, name, { addresses: [internal(`10.70.70.${name.at(-1)}`)] });
        await createNode(stage, name);
      }
      for (const name of names) {
        await untilState(stage, name, ({ parts }) =>
          demand("node-ipam-controller" in parts, `${name} has no pod range yet`),
        );
      }
      const coverage = await coverageOf(stage);
      await eventually(async () => {
        const { present, uninitialised } = await coverage();
        same([present, uninitialised], [3, 3], "nodes, and those that are not initialised");
      });
      await always(
        async () => {
          for (const name of names) {
            const tainted = hasTaint(seen(stage, name), UNINITIALIZED.key);
            const { state } = await stateOf(stage, name);
            demand(tainted && state !== "ok", `${name} is ${state}`);
          }
        },
        { forMs: 3_000 },
      );
      await lift();
      for (const name of names) {
        await untilState(stage, name, ({ state }) => same(state, "ok", `the state of ${name}`));
      }
      await eventually(async () => {
        const { present, reported, uninitialised } = await coverage();
        same([present, reported, uninitialised], [3, 3, 0], "present, reported, uninitialised");
      });
    },
  ),

  onStage(
    "B-71",
    "a controller that runs no more neither keeps a node waiting for its word nor stuck by its last one",
    async (stage) => {
      // One block of pods: the second node gets none.
      const full = { ...ALL_OF_NODES, "--cluster-cidr": "10.171.0.0/24" };
      const all = await stage.start({ name: "all", flags: full });
      await joined(stage, "b-71-1", { ready: "True" });
      await joined(stage, "b-71-2", { ready: "True" });
      await eventually(async () => {
        const states = [await stateOf(stage, "b-71-1"), await stateOf(stage, "b-71-2")];
        const stuck = states.filter(({ state }) => state === "stuck");
        same(stuck.length, 1, "how many are stuck");
        same(stuck[0]?.reason_code, "PodCIDRsExhausted", "why");
      });
      await all.stop();
      await stage.start({ name: "few", flags: { ...ALONE, "--controllers": "cloud-node" } });
      await createInstance(stage, "b-71-3", { addresses: [internal("10.70.71.3")] });
      await createNode(stage, "b-71-3", { ready: "False" });
      for (const name of ["b-71-1", "b-71-2", "b-71-3"]) {
        await untilState(stage, name, ({ state }) => same(state, "ok", `the state of ${name}`));
      }
    },
  ),

  onStage(
    "B-72",
    "a node whose deletion the guard holds is Held, and no route is tried to its missing machine",
    async (stage) => {
      await stage.electIn(NAMESPACE);
      await stage.start({ flags: HOLDING });
      const names = Array.from({ length: 6 }, (_, index) => `b-72-${index + 1}`);
      const ids = await Promise.all(names.map((name) => withRoute(stage, name)));
      await stage.cloud.forgetCalls();
      const [, ...lost] = names;
      for (const id of ids.slice(1)) await stage.cloud.remove(id);
      await Promise.all(lost.map((name) => setReady(stage, name, "Unknown")));
      const held = lost.filter((name) => stage.nodes.get(name) !== undefined);
      await eventually(async () => {
        const left = held.filter((name) => stage.nodes.get(name) !== undefined);
        same(left.length, lost.length - LIMIT, "the nodes left");
        for (const name of left) {
          const { state, reason_code, parts } = await stateOf(stage, name);
          same([state, reason_code], ["held", "DeletionGuardHeld"], `what is shown of ${name}`);
          same(parts[ROUTES]?.reason.code, "RouteWithoutMachine", `the reason of its route`);
          same(parts[ROUTES]?.state, "waiting", "the state of its route");
          same(parts[LIFECYCLE]?.detail.answer.kind, "absent", "what the cloud said last");
        }
      });
      same(await callsOf(stage, CREATE), 0, "routes that were tried");
      const told = lost.flatMap((name) => eventsOf(stage, name)).map(({ reason }) => reason);
      demand(!told.includes("FailedToCreateRoute"), `the Events are ${told}`);
    },
  ),

  onStage(
    "B-73",
    "a label that the API refuses makes its node stuck at once, and well as soon as it is corrected",
    async (stage) => {
      await stage.start({ flags: { ...ALONE, "--controllers": "cloud-node" } });
      const { id } = await createInstance(stage, "b-73", {
        addresses: [internal("10.70.73.1")],
        labels: { "example.org/rack": "two words" },
      });
      await createNode(stage, "b-73");
      await stuckAtOnce(stage, "b-73", "LabelInvalid");
      await stage.cloud.change(id, { labels: { "example.org/rack": "r1" } });
      await untilState(stage, "b-73", ({ state }) => same(state, "ok", "its state"));
    },
  ),

  onStage("B-74", "a quota that is used up makes node and Service stuck at once", async (stage) => {
    await stage.cloud.setFaults({ quotas: { routes: 0, loadBalancers: 0 } });
    await stage.start({
      flags: { ...ALL_OF_NODES, "--controllers": "cloud-node,route,service" },
    });
    await joined(stage, "b-74-1", { ready: "True", podCIDRs: ["10.170.74.0/24"] });
    await stuckAtOnce(stage, "b-74-1", "RouteTableFull");
    await createService(stage, "b-74-web");
    await stuckAtOnce(stage, "default/b-74-web", "ProviderQuotaExceeded");
  }),

  onStage(
    "B-75",
    "a load balancer that lacks a wanted member is not OK, and says which machine is missing",
    async (stage) => {
      await stage.start({
        flags: { ...ALONE, "--controllers": "service", "--load-balancer-drift-period": "2s" },
      });
      await createMember(stage, "b-75-1");
      await createNode(stage, "b-75-2", { taints: [], providerID: "sandbox://i-not-there" });
      await createService(stage, "b-75-web");
      await untilBalancer(stage, "b-75-web", {
        check: ({ members }) => same(members.length, 1, "members"),
      });
      const service = "default/b-75-web";
      await untilState(stage, service, ({ drift, members_in, members_wanted }) =>
        same([drift, members_in, members_wanted], ["drifted", 1, 2], "drift and members"),
      );
      await untilState(stage, service, ({ state, reason_code }) =>
        same([state, reason_code], ["waiting", "BalancerMemberGone"], "its state"),
      );
      await stage.kube.delete("/api/v1/nodes/b-75-2");
      await untilState(stage, service, ({ state, drift }) =>
        same([state, drift], ["ok", "inStep"], "state and drift once the node is gone"),
      );
    },
  ),
];

const LIMIT = 2;
/** The ConfigMap with the guard's window lives where the Lease does: other rows must not share it. */
const NAMESPACE = "conformance-b-72";
const HOLDING = {
  ...ALL_OF_NODES,
  "--leader-elect": "true",
  "--controllers": "cloud-node,cloud-node-lifecycle,route",
  "--leader-elect-resource-namespace": NAMESPACE,
  "--node-deletion-guard": `${LIMIT},10%,10m`,
};

/** A node that is initialised and has its route; answers the machine's id. */
async function withRoute(stage: Stage, name: string): Promise<string> {
  const number = name.at(-1);
  const range = `10.170.${number}.0/24`;
  const instance = await createInstance(stage, name, {
    addresses: [internal(`10.70.72.${number}`)],
  });
  await createNode(stage, name, { ready: "True", podCIDRs: [range] });
  await leadsTo(stage, range, instance);
  return instance.id;
}

interface StateRow extends Record<string, unknown> {
  readonly state: string;
  readonly reason_code: string;
  readonly drift: string;
  readonly members_in: number | null;
  readonly members_wanted: number | null;
  /** From the first failure of the row to the last report, milliseconds. */
  readonly lasted: number;
  readonly parts: Readonly<Partial<Record<string, StoredPart>>>;
}

interface StoredPart {
  readonly state: string;
  readonly reason: { readonly code: string };
  readonly detail: { readonly answer: { readonly kind: string } };
}

/** What the pages show of a Node, or of a Service by `namespace/name`. */
async function stateOf({ databaseUrl }: Stage, name: string): Promise<StateRow> {
  const kind = name.includes("/") ? "Service" : "Node";
  const [row] = await rowsOf<StateRow>(
    databaseUrl ?? "",
    `SELECT object.state, object.reason_code, object.drift, members_in, members_wanted, object.parts,
            (extract(epoch FROM object.updated_at - object.since) * 1000)::float8 AS lasted
       FROM object_states AS object LEFT JOIN load_balancer_states USING (cluster_id, kind, name)
      WHERE kind = $1 AND name = $2`,
    [kind, name],
  );
  demand(row !== undefined, `nothing is known of ${name}`);
  return row;
}

export async function untilState(
  stage: Stage,
  name: string,
  check: (row: StateRow) => void,
): Promise<void> {
  await eventually(async () => check(await stateOf(stage, name)));
}

async function stuckAtOnce(stage: Stage, name: string, reason: string): Promise<void> {
  await untilState(stage, name, (row) => {
    same([row.state, row.reason_code], ["stuck", reason], `the state of ${name}`);
    demand(row.lasted < STUCK_AFTER_MS, `${name} became stuck by time: after ${row.lasted} ms`);
  });
}

interface Coverage {
  readonly present: number;
  readonly reported: number;
  readonly uninitialised: number;
}

/** What the Overview says of how much of the nodes is known. */
async function coverageOf(stage: Stage): Promise<() => Promise<Coverage>> {
  const dashboard = await startDashboard(stage.databaseUrl ?? "", stage.dir);
  stage.after(() => dashboard.stop());
  const session = await dashboard.signIn("viewer");
  const cluster = (await stage.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
  return async () => {
    const view = await dashboard.query<{ health: { coverage: { Node: Coverage } } }>(
      session,
      "overview.byCluster",
      { cluster },
    );
    return view.health.coverage.Node;
  };
}
