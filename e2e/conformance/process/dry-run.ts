import { rowsOf } from "../../harness/database.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
import {
  type IsolatedEnvironment,
  isolatedRows,
  type Replica,
  type ReplicaOptions,
} from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  seen,
  setReady,
  untouched,
} from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { joined } from "../node-lifecycle/objects.ts";
import { openUpstreamCloud } from "../takeover/upstream-manager.ts";

/** With fewer than 60 nodes, the number in the guard's flag applies. */
const LIMIT = 5;
const LOST = 7;
const SHADOW_LEASE = "cloudwright-shadow";
const NODE_LOOP = "cloud-node-controller";
const LIFECYCLE = "cloud-node-lifecycle-controller";

interface PlanRow {
  readonly name: string;
  readonly reason: string;
  readonly changes: readonly { readonly kind: string }[];
}

/** Rows D-01 and D-02, of DESIGN.md "Dry run": a dry run stands beside the active controller, and writes only its Lease. */
export const DRY_RUN: readonly Scenario[] = isolatedRows({
  "D-01 a dry run beside the one that acts records what it would do, and what the guard would hold":
    async (env) => {
      const shadow = await startShadow(env, { flags: GUARDED });
      await createInstance(env, "d-01-1", { addresses: [internal("10.201.1.1")] });
      await createNode(env, "d-01-1");
      await plans(env, "d-01-1", [NODE_LOOP, ["node.addresses.write", "node.initialise"]]);
      await stateOf(env, "d-01-1", { dry_run: true });
      untouched(seen(env, "d-01-1"));

      const acting = await env.start({ name: "acting", flags: namespaceFlag(env) });
      await initialised(env, "d-01-1");
      await plans(env, "d-01-1", [NODE_LOOP, []]);
      await stateOf(env, "d-01-1", { dry_run: false, state: "ok" });

      const lost = Array.from({ length: LOST }, (_, index) => `d-01-${index + 2}`);
      const ids = await Promise.all(lost.map((name) => joined(env, name, { ready: "True" })));
      await acting.stop();
      for (const id of ids) await env.cloud.remove(id);
      await Promise.all(lost.map((name) => setReady(env, name, "False")));
      await eventually(async () => {
        const rows = await planRows(env, LIFECYCLE);
        const deletes = rows.filter(({ changes }) => changes[0]?.kind === "node.delete");
        const held = rows.filter(({ reason }) => reason === "DeletionGuardHeld");
        same([deletes.length, held.length], [LIMIT, LOST - LIMIT], "what it would delete and hold");
      });
      await always(
        () => same(lost.filter((name) => env.nodes.get(name)).length, LOST, "the nodes left"),
        { forMs: 5_000, on: env.nodes },
      );
      await wroteItsLeaseAlone(env, shadow);
    },
  "D-02 a dry run beside the upstream manager lets it work, and reports what it would do and where it differs":
    async (env) => {
      const upstream = await openUpstreamCloud(env, 1);
      const shadow = await startShadow(env, {
        cloudConfig: upstream.cloudConfig,
        flags: { "--cloud-provider": upstream.plugin },
      });
      env.after(() => env.kube.delete("/api/v1/nodes/node-0").catch(() => undefined));
      await createNode(env, "node-0");
      await plans(env, "node-0", [NODE_LOOP, ["node.addresses.write", "node.initialise"]]);
      untouched(seen(env, "node-0"));
      await upstream.startManager();
      const node = await initialised(env, "node-0", 60_000);
      const ours = Object.keys(node.metadata.annotations ?? {}).filter((key) =>
        key.startsWith("cloudwright.io/"),
      );
      same(ours, [], "annotations of ours");
      await plans(env, "node-0", [NODE_LOOP, []]);
      await wroteItsLeaseAlone(env, shadow);
    },
});

const GUARDED = { "--node-deletion-guard": `${LIMIT},10%,10m` };

interface Shadow {
  readonly account: string;
  readonly replica: Replica;
}

/** The rights that docs/install.md lists for a dry run: it reads, and holds its Lease. */
const SHADOW_PARTS = [
  ...["process", "leader-election", "control-record"],
  ...["service-cache", "volume-cache"],
];

/** Starts a dry run with its own account, so that its requests can be told from those of others. */
async function startShadow(env: IsolatedEnvironment, options: ReplicaOptions): Promise<Shadow> {
  const electionNamespace = namespaceOf(env);
  await env.electIn(electionNamespace);
  const account = `${env.name}-shadow`;
  const replica = await env.start({
    ...options,
    name: "shadow",
    kubeconfig: await env.accountOfItsOwn(account, { parts: SHADOW_PARTS, electionNamespace }),
    flags: { ...options.flags, ...namespaceFlag(env), "--dry-run": "true" },
  });
  return { account, replica };
}

/** The Lease of dry runs has a fixed name, so each row uses a namespace of its own. */
function namespaceOf({ name }: IsolatedEnvironment): string {
  return `conformance-${name}`;
}

function namespaceFlag(env: IsolatedEnvironment) {
  return { "--leader-elect-resource-namespace": namespaceOf(env) };
}

/** Waits until the newest dry run of the node would make these changes, so that a page could show them. */
async function plans(
  env: IsolatedEnvironment,
  name: string,
  [controller, kinds]: readonly [string, readonly string[]],
): Promise<void> {
  await eventually(async () => {
    const row = (await planRows(env, controller)).find((one) => one.name === name);
    demand(row !== undefined, `no dry run of ${name} is known`);
    same(
      row.changes.map(({ kind }) => kind),
      kinds,
      `what a dry run of ${name} would do`,
    );
  });
}

function planRows(
  { databaseUrl }: IsolatedEnvironment,
  controller: string,
): Promise<readonly PlanRow[]> {
  return rowsOf<PlanRow & Record<string, unknown>>(
    databaseUrl ?? "",
    "SELECT object_name AS name, reason_code AS reason, changes FROM shadow_plans WHERE controller = $1",
    [controller],
  );
}

async function stateOf(
  { databaseUrl }: IsolatedEnvironment,
  name: string,
  wanted: object,
): Promise<void> {
  await eventually(async () => {
    const [row] = await rowsOf<Record<string, unknown>>(
      databaseUrl ?? "",
      "SELECT state, dry_run FROM all_states WHERE kind = 'Node' AND name = $1",
      [name],
    );
    same({ ...row, ...wanted }, row, `the state of ${name} that pages show`);
  });
}

async function wroteItsLeaseAlone(
  env: IsolatedEnvironment,
  { account, replica }: Shadow,
): Promise<void> {
  const asked = await env.cluster.requestsOf(account, SHIPPED_ACCOUNTS);
  if (asked !== undefined) {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespaceOf(env)}/leases`;
    const writes = asked.filter(({ verb }) => !READS.has(verb));
    demand(writes.length > 0, "it did not even write its Lease");
    const others = writes.filter(({ path }) => !path.startsWith(leases) && !isReview(path));
    same(others, [], "what it wrote besides its Lease");
    const lease = asked.some(({ path }) => path.startsWith(`${leases}/${SHADOW_LEASE}`));
    demand(lease, `it asked for no Lease ${SHADOW_LEASE}`);
  }
  const health = (await replica.ask("/readyz?verbose"))?.body ?? "";
  demand(health.includes("leadership ok (leader)"), `its health says: ${health}`);
}

const READS = new Set(["get", "list", "watch"]);

/** Reviews of one's own rights are POST requests, but nothing is stored. */
function isReview(path: string): boolean {
  return path.startsWith("/apis/authorization.k8s.io/v1/selfsubject");
}
