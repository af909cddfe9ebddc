import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, serveDatabase } from "../../harness/controller.ts";
import { startDashboard } from "../../harness/dashboard.ts";
import { freePort } from "../../harness/free-port.ts";
import { run, type Started } from "../../harness/processes.ts";
import { blocksOf, Shell } from "../../harness/runbook.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { SHIPPED } from "../clusters/shipped-roles.ts";
import { testclusterFolder } from "../clusters/testcluster.ts";
import { type IsolatedEnvironment, isolatedRows } from "../environment/isolated.ts";
import { leaseOf, leasePath } from "../environment/leading.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";
import { createService, deleteService, served, serviceGone } from "../service/objects.ts";
import { joinNodes, LEASE_MS, NODES, POD_CIDR, settledBy, snapshot } from "./from-upstream.ts";
import { openUpstreamCloud, type UpstreamCloud } from "./upstream-manager.ts";

const PAGE = "migration.md";
const MAIN_LEASE = "cloud-controller-manager";
const OLD_LEASE = "kube-controller-manager";
const SECOND_LEASE = "cloud-provider-extraction-migration";

/** Rows T-18 and T-19 follow docs/migration.md to the letter, beside upstream's own manager. */
export const TAKEOVER_RUNBOOKS: readonly Scenario[] = isolatedRows({
  "T-18 the runbooks of shadow mode, of taking over and of going back, typed as they stand: no write beside upstream's manager, no change in the cloud, the same addresses":
    async (env) => {
      const cloud = await openUpstreamCloud(env, NODES.length);
      const walk = await openWalk(env, cloud);
      const names = ["t-18-a", "t-18-b"] as const;
      const upstream = await cloud.startManager({ podCidr: POD_CIDR });
      await joinNodes(env);
      for (const name of names) await createService(env, name);
      const before = await settledBy(env, cloud, names);

      const [migrate = "", doctor = "", dryRun = "", plan = ""] = blocksOf(PAGE, "Shadow mode");
      await walk.shell.run(migrate);
      await walk.shell.run(doctor, WARNED);
      const shadow = walk.start(dryRun);
      await showsDifferences(env, walk, names);
      await walk.shell.run(plan, WARNED);
      same(await shadow.stop(), 0, `how the dry run ends (${shadow.output().slice(-500)})`);
      same(await snapshot(env, cloud, names), before, "what there is beside the dry run");

      const [note = "", controller = "", check = ""] = blocksOf(PAGE, "Taking over");
      await walk.shell.run(note);
      await upstream.stop();
      const ours = walk.start(controller);
      await leads(env, ours, walk);
      await eventually(() => walk.shell.run(check), { withinMs: 60_000 });
      same(await snapshot(env, cloud, names), before, "what there is after the takeover");

      await ours.stop();
      await cloud.startManager({ podCidr: POD_CIDR });
      await deleteService(env, "t-18-b");
      await serviceGone(env, "t-18-b", LEASE_MS);
      const [compare = ""] = blocksOf(PAGE, "Going back");
      const gone = await walk.shell.run(compare, [1]);
      same(
        gone.split("\n").filter((line) => /^[<>]/.test(line)).length,
        1,
        "the lines that differ",
      );
      demand(/^< .* t-18-b /m.test(gone), `what differs is ${gone}`);
    },
  "T-19 the runbook of a leader migration and of its way back, typed as it stands: each controller runs in exactly one manager":
    async (env) => {
      const cloud = await openUpstreamCloud(env, NODES.length);
      const walk = await openWalk(env, cloud);
      const [configuration = ""] = blocksOf(PAGE, "The configuration", "yaml");
      const file = join(walk.shell.dir, "migration.yaml");
      writeFileSync(file, configuration);
      const old = { podCidr: POD_CIDR, flags: oldFlags(file) };
      const upstream = await cloud.startManager(old);
      await holdsBoth(env, OLD_LEASE);

      const [controller = "", show = "", remove = ""] = blocksOf(PAGE, "Moving them");
      const ours = walk.start(controller);
      // Upstream's manager does not do that if it only runs the migrating controllers.
      await joinNodes(env);
      await createService(env, "t-19-a");
      await served(env, "t-19-a", LEASE_MS);
      await says(walk, `waits for the Lease ${SECOND_LEASE}, which`);
      await upstream.stop();
      await holdsBoth(env, MAIN_LEASE);
      await says(walk, `holds the Lease ${SECOND_LEASE}`);
      const shown = await walk.shell.run(show);
      const holder = await holderOf(env, MAIN_LEASE);
      demand(new RegExp(`^${SECOND_LEASE} +${holder}$`, "m").test(shown), shown);
      await createService(env, "t-19-b");
      await served(env, "t-19-b");
      await ours.stop();
      const without = walk.start(
        controller.replaceAll(/ --(enable-leader|leader)-migration\S*/g, ""),
      );
      await leads(env, without, walk);
      await walk.shell.run(remove);
      await deleteService(env, "t-19-b");
      await serviceGone(env, "t-19-b", LEASE_MS);
      await without.stop();

      const again = walk.start(controller);
      await leads(env, again, walk);
      await says(walk, `holds the Lease ${SECOND_LEASE}`);
      await cloud.startManager(old);
      await again.stop();
      await holdsBoth(env, OLD_LEASE);
      await deleteService(env, "t-19-a");
      await serviceGone(env, "t-19-a", LEASE_MS);
    },
});

/** Exit codes of `doctor` and `plan` if they have findings, but no problem. */
const WARNED = [0, 2];

/** Flags of the kube-controller-manager that used to run the cloud loops: its own Lease, and the controllers that migrate. */
function oldFlags(file: string): readonly string[] {
  return [
    `--leader-elect-resource-name=${OLD_LEASE}`,
    "--controllers=service-lb-controller,node-route-controller,cloud-node-lifecycle-controller",
    ...["--enable-leader-migration", `--leader-migration-config=${file}`],
  ];
}

/** A user who follows a page to the letter. */
interface Walk {
  readonly shell: Shell;
  /** The controllers' health port; a dry run has another. */
  readonly port: number;
  /** Starts a controller that ends with the row at the latest. */
  start(command: string): Started;
}

async function openWalk(env: IsolatedEnvironment, cloud: UpstreamCloud): Promise<Walk> {
  const folder = testclusterFolder();
  if (folder === undefined) throw new Skip("kubectl is testcluster's, which is not here");
  const kubectl = (await run(join(folder, "build"), [])).trim();
  const dir = join(env.dir, "shell");
  mkdirSync(dir, { recursive: true });
  copyFileSync(env.cluster.controllerKubeconfig, join(dir, "controller.conf"));
  const database = await serveDatabase(dir);
  env.after(() => database.stop());
  const port = await freePort();
  const flags = [
    ...[`--cloud-provider=${cloud.plugin}`, `--cloud-config=${cloud.cloudConfig}`],
    ...["--configure-cloud-routes=true", `--cluster-cidr=${POD_CIDR}`, `--secure-port=${port}`],
  ];
  const shell = new Shell(dir, {
    env: {
      FLAGS: flags.join(" "),
      LEDGER: database.ready.url,
      ACCOUNT: `${SHIPPED.namespace}/${SHIPPED.name}`,
      KUBECONFIG: env.cluster.kubeconfig,
    },
    programs: [kubectl],
  });
  for (const name of [MAIN_LEASE, OLD_LEASE, SECOND_LEASE, "cloudwright-shadow"])
    env.after(() => env.kube.delete(systemLease(name)).catch(() => undefined));
  const begin = (command: string) => {
    const started = shell.start(command);
    env.after(() => started.stop());
    return started;
  };
  return { shell, port, start: begin };
}

function systemLease(name: string): string {
  return leasePath({ name, namespace: "kube-system" });
}

/** Waits until the page of differences shows every Service, and none of their load balancers as somebody else's. */
async function showsDifferences(
  env: IsolatedEnvironment,
  { shell }: Walk,
  services: readonly string[],
): Promise<void> {
  const { web } = JSON.parse(readFileSync(join(shell.dir, "roles.json"), "utf8")) as {
    web: string;
  };
  const dashboard = await startDashboard(web, shell.dir);
  env.after(() => dashboard.stop());
  const session = await dashboard.signIn("viewer");
  const cluster = (await env.kube.get("/api/v1/namespaces/kube-system")).metadata.uid;
  const sort = { by: "object", descending: false };
  await eventually(
    async () => {
      const input = { cluster, filter: { show: "all" }, sort, limit: 100 };
      const { rows } = await dashboard.query<{ rows: readonly object[] }>(
        session,
        "shadow.pending",
        input,
      );
      const text = JSON.stringify(rows);
      for (const name of services)
        demand(text.includes(name), `${name} is not on the page: ${text}`);
      demand(!text.includes("BalancerUnowned"), `a load balancer is nobody's: ${text}`);
    },
    { withinMs: 60_000 },
  );
}

async function holderOf(env: IsolatedEnvironment, name: string): Promise<string> {
  return eventually(
    async () => {
      const holder = (await leaseOf(env, { name }))?.spec.holderIdentity ?? "";
      demand(holder !== "", `nobody holds the Lease ${name}`);
      return holder;
    },
    { withinMs: LEASE_MS },
  );
}

/** Waits until the holder of the main Lease holds the other one as well. */
async function holdsBoth(env: IsolatedEnvironment, main: string): Promise<void> {
  await eventually(
    async () => {
      const [leader, second] = [await holderOf(env, main), await holderOf(env, SECOND_LEASE)];
      same(second, leader, `the holder of ${SECOND_LEASE}`);
    },
    { withinMs: LEASE_MS },
  );
}

/** Waits until it leads and is healthy. */
async function leads(env: IsolatedEnvironment, controller: Started, { port }: Walk): Promise<void> {
  await eventually(
    async () => {
      demand(controller.child.exitCode === null, `it ended: ${controller.output().slice(-1_000)}`);
      const health = (await ask(port, "/readyz?verbose"))?.body ?? "";
      demand(/leadership ok \(leader\)/.test(health), `its health is ${health}`);
      demand((await holderOf(env, MAIN_LEASE)) !== "", "nobody leads");
    },
    { withinMs: LEASE_MS },
  );
}

async function says({ port }: Walk, note: string): Promise<void> {
  await eventually(
    async () => {
      const health = (await ask(port, "/healthz?verbose"))?.body ?? "";
      demand(health.includes(`[+]leaderMigration ok (${note}`), `its health is ${health}`);
    },
    { withinMs: LEASE_MS },
  );
}
