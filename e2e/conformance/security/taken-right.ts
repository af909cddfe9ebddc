import { always, demand, eventually, same } from "../../harness/wait.ts";
import { ACCOUNTS_NAMESPACE, accountKubeconfig, type Rule } from "../clusters/accounts.ts";
import { grantShipped, rulesWithout } from "../clusters/shipped-roles.ts";
import {
  type IsolatedEnvironment,
  isolatedRow,
  type Replica,
  type ReplicaOptions,
} from "../environment/isolated.ts";
import {
  createInstance,
  createNode,
  initialised,
  internal,
  keepsTaint,
  nodeStays,
} from "../environment/objects.ts";
import { type Scenario, Skip } from "../environment/scenario.ts";
import { createMember, createService, finalizersOf, seenService } from "../service/objects.ts";

/** A verb on a resource that a file of the shipped roles grants and the row's controller has not. */
export interface TakenRight {
  /** The file of `deploy/rbac`, without its ending. */
  readonly part: string;
  /** The service account of a controller that it is taken from; absent: that of the process. */
  readonly identity?: string;
  readonly verb: string;
  readonly group?: string;
  /** With its subresource. */
  readonly resource: string;
  /** The object that the shipped rule names, as the self-check reports it; for the row's own Lease absent. */
  readonly name?: string;
  readonly namespace?: string | undefined;
}

export interface TakenRightRow extends TakenRight {
  readonly id: string;
  /** What comes of it. */
  readonly title: string;
  readonly flags?: ReplicaOptions["flags"];
  /** The files that are granted; absent: all. */
  readonly parts?: readonly string[];
  /** Whether Lease and control record are in a namespace of the row's own. */
  readonly electsApart?: boolean;
  /** Whether it asks the cluster about its callers, as that account. */
  readonly knowsCallers?: boolean;
  /** Whether it ends at once, so that there is no self-check to read. */
  readonly ends?: boolean;
  /** Makes what there is when its controller starts; answers what ends it. */
  before?(env: IsolatedEnvironment): Promise<Undo>;
  shows(env: IsolatedEnvironment, replica: Replica, undo: Undo): Promise<unknown>;
}

/** What of a file of the shipped roles is taken away. */
export function right(part: string, verb: string, resource: string) {
  return { part, verb, resource };
}

export type Undo = () => Promise<unknown>;

const NOTHING: Undo = async () => undefined;

/** A controller with all that is shipped but one right: it names the right, and what the row says comes of it. */
export function withoutRight(row: TakenRightRow): Scenario {
  const title = `without ${row.verb} ${row.resource} ${row.title}`;
  return isolatedRow(row.id, title, async (env) => {
    const namespace = row.electsApart === true ? apartNamespace(env) : undefined;
    if (namespace !== undefined) await env.electIn(namespace);
    const undo = (await row.before?.(env)) ?? NOTHING;
    const kubeconfig = await kubeconfigWithout(env, row, namespace);
    const flags = {
      "--leader-elect": "false",
      ...row.flags,
      "--leader-elect-resource-namespace": namespace,
      ...(row.knowsCallers === true ? callersBy(kubeconfig) : {}),
    };
    const replica = await env.launch({ kubeconfig, flags });
    const taken = { ...row, namespace: namespace ?? row.namespace };
    if (row.ends !== true) await isNamed(replica, taken, env.lease);
    await row.shows(env, replica, undo);
  });
}

function callersBy(kubeconfig: string) {
  return {
    "--authentication-kubeconfig": kubeconfig,
    "--authorization-kubeconfig": kubeconfig,
  };
}

/** Of rows whose Lease and control record are nobody else's. */
export function apartNamespace({ name }: IsolatedEnvironment): string {
  return `conformance-${name}`;
}

async function kubeconfigWithout(
  env: IsolatedEnvironment,
  row: TakenRightRow,
  electionNamespace: string | undefined,
): Promise<string> {
  const account = { namespace: ACCOUNTS_NAMESPACE, name: env.name };
  const { kubeconfig } = env.cluster;
  const path = await accountKubeconfig(env.kube, account, { kubeconfig, dir: env.dir });
  const revoke = await grantShipped(env.kube, {
    account,
    leases: [env.lease],
    controllers: row.identity !== undefined,
    change: (role) => rulesWithout(role, row),
    ...(row.parts === undefined ? {} : { parts: row.parts }),
    ...(electionNamespace === undefined ? {} : { electionNamespace }),
  });
  // Service accounts of controllers are the cluster's, and other rows' controllers work as them as well.
  if (row.identity !== undefined) env.after(revoke);
  return path;
}

/** Whether the rule grants that verb on that resource, among others or alone. */
export function isAbout(
  { apiGroups = [], resources = [], verbs }: Rule,
  { verb, group = "", resource }: TakenRight,
): boolean {
  return apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb);
}

/** In its log, its health and its metrics. */
async function isNamed(replica: Replica, taken: TakenRight, lease: string): Promise<void> {
  const { verb, resource } = taken;
  const text = textOf(taken, lease);
  await eventually(async () => {
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    const reported = /^\[\+\]permissions ok \(degraded, \d+ missing: (.*)\)$/m.exec(health)?.[1];
    demand(
      reported?.split("; ").includes(text) === true,
      `health does not name ${text}: ${health}`,
    );
    const lines = replica.output().split("\n");
    const line = lines.find(
      (each) => each.includes("A permission is missing") && each.includes(`"${text}"`),
    );
    demand(line !== undefined && /ERROR.* without=/.test(line), `no line of the log names ${text}`);
    const metrics = (await replica.ask("/metrics"))?.body ?? "";
    const series = `cloudwright_permissions_missing{verb="${verb}",resource="${resource}"} `;
    demand(metrics.includes(series), `no metric ${series}`);
  });
}

function textOf({ verb, resource, name, namespace }: TakenRight, lease: string): string {
  const wanted = resource === "leases" && verb !== "create" ? lease : name;
  const object = wanted === undefined ? resource : `${resource}/${wanted}`;
  return `${verb} ${object}${namespace === undefined ? "" : ` in ${namespace}`}`;
}

/** Counted by the source that its controller has. */
export async function losesEvents(replica: Replica, source: string): Promise<void> {
  const series = new RegExp(`^cloudwright_events_dropped_total\\{source="${source}"\\} [1-9]`, "m");
  await eventually(async () => {
    const metrics = (await replica.ask("/metrics"))?.body ?? "";
    demand(series.test(metrics), `no Event of ${source} is lost`);
  });
}

export const SYSTEM = { namespace: "kube-system" };
/** Else the controllers of other rows would work on a row's Service. */
export const NODES_ALONE = { "--controllers": "*,-service" };
export const SERVICES_ALONE = { "--controllers": "service" };
export const WITHOUT_SERVICES = { "--controllers": "-service" };
export const SHORT_MS = 3_000;

/** Answers its machine's id. */
export async function nodeComes(env: IsolatedEnvironment): Promise<string> {
  const { id } = await createInstance(env, env.name, { addresses: [addressOf(env)] });
  await createNode(env, env.name);
  await initialised(env, env.name);
  return id;
}

export async function nodeWaits(env: IsolatedEnvironment): Promise<void> {
  await createInstance(env, env.name, { addresses: [addressOf(env)] });
  await createNode(env, env.name);
  await nodeStays(env, env.name, { check: keepsTaint, forMs: SHORT_MS });
}

function addressOf({ name }: IsolatedEnvironment) {
  return internal(`10.240.${Number(name.slice(2))}.1`);
}

export async function serviceWaits(env: IsolatedEnvironment): Promise<void> {
  await createMember(env, env.name);
  await createService(env, env.name);
  await eventually(() => void seenService(env, env.name), { on: env.services });
  await always(() => same(finalizersOf(seenService(env, env.name)), [], "the finalizers"), {
    forMs: SHORT_MS,
  });
}

interface Refused {
  readonly verb: string;
  readonly path: string;
}

/** What the row's controller asks and may not: H-26 has none of that. */
export async function isRefused(env: IsolatedEnvironment, { verb, path }: Refused): Promise<void> {
  await eventually(async () => {
    const seen = await env.cluster.requestsOf(env.name);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    const refused = seen.filter(({ code }) => code === 403);
    demand(
      refused.some((each) => each.verb === verb && each.path.split("?")[0] === path),
      `no ${verb} ${path} among ${JSON.stringify(refused)}`,
    );
  });
}

export function says(replica: Replica, pattern: RegExp): Promise<void> {
  return eventually(() =>
    demand(pattern.test(replica.output()), `it does not say ${pattern}: ${replica.output()}`),
  );
}
