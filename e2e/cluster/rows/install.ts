import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "../../harness/kube.ts";
import { PROJECT_ROOT } from "../../harness/processes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type ClusterEnvironment, NAMESPACE, RELEASE, type Row } from "../environment.ts";
import { demandReady, podsOf, since } from "../pods.ts";

const CHART = join(PROJECT_ROOT, "deploy/chart");
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const INSTALL = ["install", RELEASE, CHART, "--namespace", NAMESPACE, "--create-namespace"];
/** What the installation here does not use, as the lab has nothing that would serve it. */
const UNUSUAL = [
  ...[
    "--set",
    "controller.kind=StatefulSet",
    "--set",
    "controller.spool.type=persistentVolumeClaim",
  ],
  ...["--set", "controller.useServiceAccountCredentials=true"],
  ...["--set", "dashboard.ingress.enabled=true,dashboard.ingress.host=cloudwright.example.org"],
  ...["--set", "dashboard.networkPolicy.enabled=true"],
];
/** Megabytes of the image's files, at most. */
const IMAGE_MB = 250;

export const installRows: readonly Row[] = [
  {
    id: "I-01",
    title: "the image is made without a registry, and has less than 250 MB",
    run: async ({ image }) => {
      if (image.printed === "") return "an archive that was there already";
      const [line = "", size] = /([\d.]+) MB packed, [\d.]+ MB unpacked/.exec(image.printed) ?? [];
      const unpacked = Number(/([\d.]+) MB unpacked/.exec(line)?.[1]);
      demand(unpacked < IMAGE_MB, `the image has ${size} MB packed: ${image.printed}`);
      return line;
    },
  },
  {
    id: "I-02",
    title: "the chart passes helm lint, and the API server takes every object of it",
    run: async (env) => {
      const { helm, kubectl, values, dir } = env;
      const lint = await helm("lint", CHART, "-f", values);
      demand(lint.includes("0 chart(s) failed"), lint);
      const counts = [];
      for (const more of [[], UNUSUAL]) {
        const file = join(dir, "rendered.yaml");
        const rendered = ["template", RELEASE, CHART, "--namespace", NAMESPACE, "-f", values];
        writeFileSync(file, await helm(...rendered, ...more));
        const made = await kubectl("create", "--dry-run=server", "-f", file);
        counts.push(made.trim().split("\n").length);
      }
      return `${counts.join(" and ")} objects`;
    },
  },
  {
    id: "I-03",
    title: "nodes register tainted and not ready",
    run: async ({ nodes, status }) => {
      same(
        nodes.all().map(nameOf).sort(),
        status.nodes.map(({ name }) => name).sort(),
        "the nodes",
      );
      for (const node of nodes.all()) {
        demand(isTainted(node), `${nameOf(node)} is not tainted`);
        same(readyOf(node), "False", `Ready of ${nameOf(node)}`);
        same(node.spec.providerID, undefined, `the provider ID of ${nameOf(node)}`);
      }
      return undefined;
    },
  },
  {
    id: "I-04",
    title:
      "helm install: the controllers start on nodes that nobody has initialised and initialise them, and only then other pods run",
    run: install,
  },
  {
    id: "I-05",
    title: "every node has its provider ID, address and pod range, and is ready without a taint",
    run: async (env) => {
      // A cloud's route to a node's pods takes its time.
      for (const node of env.status.nodes)
        await eventually(() => demandInitialised(env, node), { withinMs: 60_000, on: env.nodes });
      return undefined;
    },
  },
  {
    id: "I-06",
    title: "each replica is on a node of its own, and one of them leads",
    run: async (env) => {
      const pods = await demandReady(env, "controller", 2);
      same(new Set(pods.map(({ spec }) => spec.nodeName)).size, 2, "the number of their nodes");
      return undefined;
    },
  },
];

async function demandInitialised(
  env: ClusterEnvironment,
  { name, ip }: { readonly name: string; readonly ip: string },
): Promise<void> {
  const node = env.nodes.get(name);
  demand(node !== undefined, `there is no node ${name}`);
  await env.cloud.demandFacts(node);
  same(node.spec.taints, undefined, `the taints of ${name}`);
  demand(node.spec.podCIDR !== undefined, `${name} has no pod range`);
  const internal = node.status.addresses?.find(({ type }) => type === "InternalIP");
  same(internal?.address, ip, `the address of ${name}`);
}

/** What is seen of the nodes while Helm works. */
interface Sight {
  /** Until when a node was seen with the taint, milliseconds since the epoch. */
  taintedUntil: number;
  readyAt: number | undefined;
}

async function install(env: ClusterEnvironment): Promise<string> {
  const began = Date.now();
  const sight: Sight = { taintedUntil: began, readyAt: undefined };
  const stop = env.nodes.onChange(() => look(env.nodes.all(), sight));
  try {
    const out = await env.helm(...INSTALL, "-f", env.values, "--timeout", "5m");
    demand(out.includes("The schema is up to date."), `the migration did not say its end: ${out}`);
    const ended = Date.now();
    await eventually(() => demandReady(env, "dashboard", 1), { withinMs: 120_000 });
    const dashboardAt = Date.now();
    // Times of the API server are whole seconds.
    const firstStarted = Math.min(...(await podsOf(env, "controller")).map(scheduledAt));
    demand(firstStarted <= sight.taintedUntil, "no controller was on a tainted node");
    for (const component of ["database", "dashboard"] as const) {
      const [pod] = await podsOf(env, component);
      demand(pod !== undefined, `there is no pod of the ${component}`);
      const at = scheduledAt(pod);
      demand(
        at + 1_000 > sight.taintedUntil,
        `the ${component} was placed ${sight.taintedUntil - at} ms before the nodes were initialised`,
      );
    }
    const after = (at: number | undefined) =>
      at === undefined ? "?" : `${((at - began) / 1_000).toFixed(0)} s`;
    return `nodes initialised after ${after(sight.taintedUntil)}, ready after ${after(sight.readyAt)}, schema there after ${after(ended)}, dashboard after ${after(dashboardAt)}`;
  } finally {
    stop();
  }
}

function look(nodes: readonly Node[], sight: Sight): void {
  if (nodes.some(isTainted)) sight.taintedUntil = Date.now();
  if (nodes.every((node) => readyOf(node) === "True")) sight.readyAt ??= Date.now();
}

function scheduledAt(pod: Parameters<typeof since>[0]): number {
  return since(pod, "PodScheduled") ?? Number.POSITIVE_INFINITY;
}

function nameOf({ metadata }: Node): string {
  return metadata.name;
}

function isTainted({ spec }: Node): boolean {
  return spec.taints?.some(({ key }) => key === UNINITIALIZED) === true;
}

function readyOf({ status }: Node): string | undefined {
  return status.conditions?.find(({ type }) => type === "Ready")?.status;
}
