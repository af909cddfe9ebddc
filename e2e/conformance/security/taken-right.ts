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

/** A verb on a resource that a file of the shipped roles grants and the row's controller lacks. */
export interface TakenRight {
  /** The file of `deploy/rbac`, without its extension. */
  readonly part: string;
  /** The service account of the controller that lacks it; if absent, that of the process. */
  readonly identity?: string;
  readonly verb: string;
  readonly group?: string;
  /** With its subresource. */
  readonly resource: string;
  /** The object in the shipped rule, as the self-check reports it; absent for the row's own Lease. */
  readonly name?: string;
  readonly namespace?: string | undefined;
}

export interface TakenRightRow extends TakenRight {
  readonly id: string;
  /** What happens without it. */
  readonly title: string;
  readonly flags?: ReplicaOptions["flags"];
  /** The granted files; all if absent. */
  readonly parts?: readonly string[];
  /** Whether Lease and control record are in the row's own namespace. */
  readonly electsApart?: boolean;
  /** Whether it asks the cluster about its callers, with that account. */
  readonly knowsCallers?: boolean;
  /** Whether it ends immediately, so that there is no self-check to read. */
  readonly ends?: boolean;
  /** Prepares what exists when its controller starts; returns a function that removes it. */
  before?(env: IsolatedEnvironment): Promise<Undo>;
  shows(env: IsolatedEnvironment, replica: Replica, undo: Undo): Promise<unknown>;
}

/** The right that is removed from a file of the shipped roles. */
export function right(part: string, verb: string, resource: string) {
  return { part, verb, resource };
}

export type Undo = () => Promise<unknown>;

const NOTHING: Undo = async () => undefined;

/** Creates a row for a controller with all shipped rights but one: it names the right, and what the row expects happens. */
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

/** Returns the namespace of rows that do not share their Lease and control record. */
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
  // Controllers' service accounts are shared by the whole cluster: other rows' controllers use them as well.
  if (row.identity !== undefined) env.after(revoke);
  return path;
}

/** Reports whether the rule grants that verb on that resource, possibly among others. */
export function isAbout(
  { apiGroups = [], resources = [], verbs }: Rule,
  { verb, group = "", resource }: TakenRight,
): boolean {
  return apiGroups.includes(group) && resources.includes(resource) && verbs.includes(verb);
}

/** Checks its log, its health and its metrics. */
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

/** Counts by the source of its controller. */
export async function losesEvents(replica: Replica, source: string): Promise<void> {
  const series = new RegExp(`^cloudwright_events_dropped_total\\{source="${source}"\\} [1-9]`, "m");
  await eventually(async () => {
    const metrics = (await replica.ask("/metrics"))?.body ?? "";
    demand(series.test(metrics), `no Event of ${source} is lost`);
  });
}

export const SYSTEM = { namespace: "kube-system" };
/** Otherwise controllers of other rows would work on a row's Service. */
export const NODES_ALONE = { "--controllers": "*,-service" };
export const SERVICES_ALONE = { "--controllers": "service" };
export const WITHOUT_SERVICES = { "--controllers": "-service" };
export const SHORT_MS = 3_000;

/** Adds a node; returns its machine's id. */
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

/** Records a request that the row's controller makes without the right, so that H-26 ignores it. */
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
