import { startDashboard } from "../../harness/dashboard.ts";
import { eventually, same } from "../../harness/wait.ts";
import { isolatedRow } from "../environment/isolated.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const FLAGS = {
  "--controllers": "cloud-node",
  "--leader-elect": "false",
  "--watch-events": "true",
};
const EVENTS = "/api/v1/namespaces/default/events";

interface ListedEvent {
  readonly reason: string;
  readonly component: string;
  readonly count: number;
  readonly type: string;
  readonly message: string;
  readonly run?: { readonly id: string };
}

/** Row P-73: other components' reports about a node appear beside ours. */
export const WATCHED_EVENTS: Scenario = isolatedRow(
  "P-73",
  "another component's Event of a node is in the ledger beside ours, and a repeat raises its count",
  async (env) => {
    await env.start({ flags: FLAGS });
    await createInstance(env, env.name, { addresses: [internal("10.73.0.1")] });
    const { metadata } = await createNode(env, env.name);
    await initialised(env, env.name);
    const dashboard = await startDashboard(env.databaseUrl ?? "", env.dir);
    env.after(() => dashboard.stop());
    const session = await dashboard.signIn("viewer");
    const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
    const listed = async () => {
      const filter = { kind: "Node", name: env.name };
      const sort = { by: "at", descending: true };
      const input = { cluster, filter, sort, limit: 50 };
      const query = "events.ofObject";
      return (await dashboard.query<{ rows: readonly ListedEvent[] }>(session, query, input)).rows;
    };

    const first = new Date().toISOString().slice(0, 19);
    const event = {
      metadata: { name: env.name, namespace: "default" },
      involvedObject: { apiVersion: "v1", kind: "Node", name: env.name, uid: metadata.uid },
      ...{ type: "Warning", reason: "DiskFailing", message: "sda, password=hunter2" },
      ...{ source: { component: "disk-watcher" }, count: 1 },
      ...{ firstTimestamp: `${first}Z`, lastTimestamp: `${first}Z` },
    };
    await env.kube.create(EVENTS, event);
    env.after(() => env.kube.delete(`${EVENTS}/${env.name}`));
    const theirs = async () =>
      (await listed())
        .filter(({ component }) => component === "disk-watcher")
        .map(({ type, reason, count, message }) => [type, reason, count, message]);
    const seen = (count: number) => ["Warning", "DiskFailing", count, "sda, password=***"];
    await eventually(async () => same(await theirs(), [seen(1)], "the other component's Events"));

    for (let count = 2; count <= 40; count += 1) {
      await env.kube.patch(`${EVENTS}/${env.name}`, "merge", { count });
    }
    await eventually(async () => same(await theirs(), [seen(40)], "the repeated Event"));

    await eventually(async () => {
      const ours = (await listed()).filter(({ reason }) => reason === "Synced");
      same(
        ours.map(({ component, run }) => [component, run === undefined]),
        [["cloud-node-controller", false]],
        "our own Events, each once and with its run",
      );
    });
  },
);
