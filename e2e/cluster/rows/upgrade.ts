import { join } from "node:path";
import { PROJECT_ROOT } from "../../harness/processes.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { Skip } from "../../harness/verdicts.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import {
  type ClusterEnvironment,
  dashboardUrl,
  NAMESPACE,
  RELEASE,
  type Row,
} from "../environment.ts";
import { migrations, ownerUrl, runs, secretOf } from "../ledger.ts";
import { demandReady, podsOf, since } from "../pods.ts";
import { makeVolumes, STORAGE_CLASS } from "../volumes.ts";
import { addressOf, answers } from "./work.ts";

const CHART = join(PROJECT_ROOT, "deploy/chart");

export const upgradeRows: readonly Row[] = [
  {
    id: "I-11",
    title:
      "helm upgrade: the schema first, then one controller after another, while the load balancer goes on",
    run: async (env) => {
      const said = await replaced(env, () => upgrade(env, "--set", "controller.flags.v=3"));
      demand(said.includes("The schema is up to date."), said);
      await answersStill(env);
      return undefined;
    },
  },
  {
    id: "I-12",
    title: "helm rollback: the revision before runs again, with the same ledger and sign-ins",
    run: async (env) => {
      const secret = await secretOf(env, `${RELEASE}-dashboard`);
      await replaced(env, () => env.helm("rollback", RELEASE, "1", "--namespace", NAMESPACE));
      same(await secretOf(env, `${RELEASE}-dashboard`), secret, "the secret that signs sessions");
      await answersStill(env);
      return undefined;
    },
  },
];

/** From the release before, on a database of its own; after all others, with what a removal has left. */
export const earlierRows: readonly Row[] = [
  {
    id: "I-17",
    title: "the release before is installed on its own schema and writes its ledger",
    run: async (env) => {
      requireBefore(env);
      await env.kubectl("-n", NAMESPACE, "delete", "secret", `${RELEASE}-database`);
      const nodes = env.nodes.all().map(({ metadata }) => metadata.name);
      await makeVolumes(env, { folder: "ledger", nodes });
      const before = ["--set", "image.tag=before", "--set", "migrate.enabled=false"];
      const install = ["install", RELEASE, CHART, ...place(env), ...before, "--timeout", "5m"];
      const two = await env.helm(...install, "--dry-run=server", "--set", "controller.replicas=2");
      demand(two.includes("set controller.replicas to 1"), `helm install prints ${two}`);
      demand(!(await env.helm(...install)).includes("WARNING"), "it warns of one replica");
      await eventually(() => demandReady(env, "database", 1), { withinMs: 300_000 });
      await migrateByHand(env);
      await eventually(async () => demand((await runs(env)) > 0, "no run is in the ledger yet"), {
        withinMs: 180_000,
      });
      return `${(await migrations(env)).length} migrations`;
    },
  },
  {
    id: "I-18",
    title:
      "helm upgrade from it: the schema is brought up to date before the new controllers start",
    run: async (env) => {
      requireBefore(env);
      const before = await migrations(env);
      const said = await env.helm(...["upgrade", RELEASE, CHART, ...place(env), "--timeout", "5m"]);
      demand(said.includes("The schema is up to date."), said);
      const now = await eventually(() => migrations(env), { withinMs: 120_000 });
      const added = now.filter((name) => !before.includes(name));
      demand(added.length > 0, "the release before had the same schema");
      await demandRecords(env, env.image.name);
      return `added ${added.join(", ")}`;
    },
  },
  {
    id: "I-19",
    title: "helm rollback to it: its controllers and its dashboard go on, on the newer schema",
    run: async (env) => {
      requireBefore(env);
      await env.helm("rollback", RELEASE, "1", "--namespace", NAMESPACE);
      await demandRecords(env, env.image.name.replace(/:[^:]+$/, ":before"));
      same(
        (await fetch(`${dashboardUrl(env.status)}/healthz`)).status,
        200,
        "the dashboard's health",
      );
      return undefined;
    },
  },
];

function requireBefore({ hasBefore }: ClusterEnvironment): void {
  if (!hasBefore) throw new Skip("no image of it was named by --before");
}

/** Its database is on a persistent volume, and it has the one replica that the node which is left has room for. */
function place({ values }: ClusterEnvironment): readonly string[] {
  const storage = `database.trial.storage.type=persistentVolumeClaim,database.trial.storage.storageClassName=${STORAGE_CLASS}`;
  return ["--namespace", NAMESPACE, "-f", values, "--set", `${storage},controller.replicas=1`];
}

export function upgrade({ helm, values }: ClusterEnvironment, ...more: readonly string[]) {
  return helm("upgrade", RELEASE, CHART, "--namespace", NAMESPACE, "-f", values, ...more);
}

/** Until a controller of the new revision is ready on each node, and none of the revision before is left. */
export async function replaced(
  env: ClusterEnvironment,
  change: () => Promise<string>,
): Promise<string> {
  const before = (await podsOf(env, "controller")).map(({ metadata }) => metadata.uid);
  const said = await change();
  await eventually(
    async () => {
      const pods = await demandReady(env, "controller", env.status.nodes.length);
      const old = pods.filter(({ metadata }) => before.includes(metadata.uid));
      same(old.length, 0, "the number of pods of the revision before");
    },
    { withinMs: 180_000 },
  );
  return said;
}

export async function answersStill(env: ClusterEnvironment): Promise<void> {
  const service = await env.kube.get<Service>(`${SERVICES}/web`);
  await answers(`${addressOf(service)}`);
}

/** Once nothing but pods of this image is ready, what they do is in the ledger. */
async function demandRecords(env: ClusterEnvironment, image: string): Promise<void> {
  for (const component of ["controller", "dashboard"] as const)
    await eventually(() => demandImage(env, component, image), { withinMs: 180_000 });
  const known = await eventually(() => runs(env), { withinMs: 120_000 });
  const service = { type: "LoadBalancer", ports: [{ port: 80 }] };
  const name = `counted-${Date.now()}`;
  await env.kube.create(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name } },
    spec: service,
  });
  await eventually(
    async () => {
      const { items } = await env.kube.list<Service>(SERVICES);
      const found = items.find(({ metadata }) => metadata.name === name);
      demand(found !== undefined && addressOf(found) !== undefined, `${name} has no address`);
      demand((await runs(env)) > known, "no run is new in the ledger");
    },
    { withinMs: 120_000 },
  );
  await env.kubectl("delete", "service", name, "--timeout=60s");
}

/** The chart's migration is of this release: that of the one before is run in its own pod. */
async function migrateByHand(env: ClusterEnvironment): Promise<void> {
  const pod = [
    "-n",
    NAMESPACE,
    "exec",
    `deployment/${RELEASE}-controller`,
    "-c",
    "controller",
    "--",
  ];
  const roles = await secretOf(env, `${RELEASE}-database`, "roles.json");
  const write = "require('node:fs').writeFileSync('/tmp/roles.json', process.argv[1])";
  await env.kubectl(...pod, "/usr/local/bin/node", "-e", write, roles);
  const url = ["--database-url", await ownerUrl(env), "--role-urls", "/tmp/roles.json"];
  await eventually(() => env.kubectl(...pod, "cloudwright", "migrate", ...url), {
    withinMs: 60_000,
  });
}

async function demandImage(
  env: ClusterEnvironment,
  component: "controller" | "dashboard",
  image: string,
): Promise<void> {
  const placed = (await podsOf(env, component)).filter(({ spec }) => spec.nodeName !== undefined);
  const images = placed.flatMap(({ spec }) => spec.containers.map((each) => each.image));
  same([...new Set(images)], [image], `the images of the ${component}`);
  const ready = placed.filter((pod) => since(pod, "Ready") !== undefined);
  demand(ready.length > 0, `no ${component} of ${image} is ready`);
}
