import { rowsOf } from "../../harness/database.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { SHIPPED_ACCOUNTS } from "../clusters/shipped-roles.ts";
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
import { onStage, type Replica, type ReplicaWish, type Stage } from "../environment/stage.ts";
import { joined } from "../node-lifecycle/objects.ts";
import { openUpstreamCloud } from "../takeover/upstream-manager.ts";

/** With fewer than 60 nodes the number of the guard's flag counts. */
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

/** Rows D-01 and D-02, of DESIGN.md "Dry run": it stands beside whoever acts, and writes nothing but its Lease. */
export const DRY_RUN: readonly Scenario[] = [
  onStage(
    "D-01",
    "a dry run beside the one that acts records what it would do, and what the guard would hold",
    async (stage) => {
      const shadow = await startShadow(stage, { flags: GUARDED });
      await createInstance(stage, "d-01-1", { addresses: [internal("10.201.1.1")] });
      await createNode(stage, "d-01-1");
      await plans(stage, "d-01-1", [NODE_LOOP, ["node.addresses.write", "node.initialise"]]);
      await stateOf(stage, "d-01-1", { dry_run: true });
      untouched(seen(stage, "d-01-1"));

      const acting = await stage.start({ name: "acting", flags: namespaceFlag(stage) });
      await initialised(stage, "d-01-1");
      await plans(stage, "d-01-1", [NODE_LOOP, []]);
      await stateOf(stage, "d-01-1", { dry_run: false, state: "ok" });

      const lost = Array.from({ length: LOST }, (_, index) => `d-01-${index + 2}`);
      const ids = await Promise.all(lost.map((name) => joined(stage, name, { ready: "True" })));
      await acting.stop();
      for (const id of ids) await stage.cloud.remove(id);
      await Promise.all(lost.map((name) => setReady(stage, name, "False")));
      await eventually(async () => {
        const rows = await planRows(stage, LIFECYCLE);
        const deletes = rows.filter(({ changes }) => changes[0]?.kind === "node.delete");
        const held = rows.filter(({ reason }) => reason === "DeletionGuardHeld");
        same([deletes.length, held.length], [LIMIT, LOST - LIMIT], "what it would delete and hold");
      });
      await always(
        () => same(lost.filter((name) => stage.nodes.get(name)).length, LOST, "the nodes left"),
        { forMs: 5_000, on: stage.nodes },
      );
      await wroteItsLeaseAlone(stage, shadow);
    },
  ),

  onStage(
    "D-02",
    "a dry run beside the upstream manager lets it work, and tells what it would do and differ in",
    async (stage) => {
      const upstream = await openUpstreamCloud(stage, 1);
      const shadow = await startShadow(stage, {
        cloudConfig: upstream.cloudConfig,
        flags: { "--cloud-provider": upstream.plugin },
      });
      stage.after(() => stage.kube.delete("/api/v1/nodes/node-0").catch(() => undefined));
      await createNode(stage, "node-0");
      await plans(stage, "node-0", [NODE_LOOP, ["node.addresses.write", "node.initialise"]]);
      untouched(seen(stage, "node-0"));
      await upstream.startManager();
      const node = await initialised(stage, "node-0", 60_000);
      const ours = Object.keys(node.metadata.annotations ?? {}).filter((key) =>
        key.startsWith("cloudwright.io/"),
      );
      same(ours, [], "annotations of ours");
      await plans(stage, "node-0", [NODE_LOOP, []]);
      await wroteItsLeaseAlone(stage, shadow);
    },
  ),
];

const GUARDED = { "--node-deletion-guard": `${LIMIT},10%,10m` };

interface Shadow {
  readonly account: string;
  readonly replica: Replica;
}

/** Of what docs/install.md says that a dry run needs: it reads, and holds its Lease. */
const SHADOW_PARTS = [
  ...["process", "leader-election", "control-record"],
  ...["service-cache", "volume-cache"],
];

/** Runs dry as an account of its own, so that what it asks can be told from what others ask. */
async function startShadow(stage: Stage, wish: ReplicaWish): Promise<Shadow> {
  const electionNamespace = namespaceOf(stage);
  await stage.electIn(electionNamespace);
  const account = `${stage.name}-shadow`;
  const replica = await stage.start({
    ...wish,
    name: "shadow",
    kubeconfig: await stage.accountOfItsOwn(account, { parts: SHADOW_PARTS, electionNamespace }),
    flags: { ...wish.flags, ...namespaceFlag(stage), "--dry-run": "true" },
  });
  return { account, replica };
}

/** The Lease of dry runs has one name: each row has it in a namespace of its own. */
function namespaceOf({ name }: Stage): string {
  return `conformance-${name}`;
}

function namespaceFlag(stage: Stage) {
  return { "--leader-elect-resource-namespace": namespaceOf(stage) };
}

/** Waits until the newest dry run of the node would make these changes, of which a page could be shown. */
async function plans(
  stage: Stage,
  name: string,
  [controller, kinds]: readonly [string, readonly string[]],
): Promise<void> {
  await eventually(async () => {
    const row = (await planRows(stage, controller)).find((one) => one.name === name);
    demand(row !== undefined, `no dry run of ${name} is known`);
    same(
      row.changes.map(({ kind }) => kind),
      kinds,
      `what a dry run of ${name} would do`,
    );
  });
}

function planRows({ databaseUrl }: Stage, controller: string): Promise<readonly PlanRow[]> {
  return rowsOf<PlanRow & Record<string, unknown>>(
    databaseUrl ?? "",
    "SELECT object_name AS name, reason_code AS reason, changes FROM shadow_plans WHERE controller = $1",
    [controller],
  );
}

async function stateOf({ databaseUrl }: Stage, name: string, wanted: object): Promise<void> {
  await eventually(async () => {
    const [row] = await rowsOf<Record<string, unknown>>(
      databaseUrl ?? "",
      "SELECT state, dry_run FROM object_states WHERE kind = 'Node' AND name = $1",
      [name],
    );
    same({ ...row, ...wanted }, row, `the state of ${name} that pages show`);
  });
}

async function wroteItsLeaseAlone(stage: Stage, { account, replica }: Shadow): Promise<void> {
  const asked = await stage.cluster.requestsOf(account, SHIPPED_ACCOUNTS);
  if (asked !== undefined) {
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespaceOf(stage)}/leases`;
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

/** A question about one's own rights is asked by a POST, and nothing of it is kept. */
function isReview(path: string): boolean {
  return path.startsWith("/apis/authorization.k8s.io/v1/selfsubject");
}
