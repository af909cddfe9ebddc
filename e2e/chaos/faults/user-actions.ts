import { setTimeout as wait } from "node:timers/promises";
import type { KubeObject } from "../../harness/kube.ts";
import { SERVICES as PATH } from "../../harness/service.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";
import { ServiceFleet } from "../fleets/service-fleet.ts";
import { servicesWhole } from "../ledger.ts";
import { type Replica, startPair, startReplica, waitToLead } from "../replicas.ts";
import { type Action, type Asked, type Intent, openUsers, type Users, whyOf } from "./users.ts";

const NODES = "cloud-node-controller";
const SERVICES = "service-lb-controller";
const PAUSED = "cloud-node-lifecycle-controller";
const HOLD = "cloudwright.io/hold";
const OVERRIDE = "cloudwright.io/override";
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const HOUR_MS = 3_600_000;
/** Within it the leader is struck, counted from when the last action was asked for. */
const MOMENT_MS = 600;

/**
 * Holds, releases, overrides, pauses, re-ensures, retries and previews are asked for on the dashboard while the leader is
 * killed, or stopped past its lease: each ends once, and what is called verified is so in the cluster.
 */
export const userActions = fault("person-actions", async (env) => {
  const { short, fleet } = env;
  const rounds = short ? 3 : 20;
  await fleet.join(namesOf("calm", 20));
  const services = await ServiceFleet.open(env);
  env.after(() => services.close());
  for (const name of namesOf("web", 6))
    await services.create(name, { port: 80, ranges: ["10.0.0.0/8"] });
  let [leader, standby] = await startPair(env);
  await fleet.settled();
  await services.settled(fleet);
  const users = await openUsers(env);
  const actors = { env, users, services };
  const reported: Intent[] = [];
  for (let round = 0; round < rounds; round++) {
    const stuck = namesOf(`stuck-${round}`, 2);
    await fleet.join(stuck, { managed: false });
    const strike = round % 2 === 0 ? killed : stopped;
    reported.push(...(await actions({ ...actors, stuck }, round, () => strike(leader, standby))));
    await finish({ ...actors, stuck });
    [leader, standby] = [standby, await startReplica(env, leader.name)];
  }
  await releaseAll(actors);
  await services.settled(fleet);
  const size = await servicesWhole(env.database.url, services);
  return `${rounds} leaders struck while ${reported.length} actions were open, ${countsOf(reported)}; ${size}`;
});

function countsOf(reported: readonly Intent[]): string {
  const states = [...new Set(reported.map(({ state }) => state))];
  const counts = states.map(
    (one) => `${reported.filter(({ state }) => state === one).length} ${one}`,
  );
  return counts.join(", ");
}

/** As with kubectl: what was kept from a Service meanwhile comes now. */
async function releaseAll({ env, services }: Actors): Promise<void> {
  const free = { [HOLD]: null, [`${HOLD}-by`]: null, [`${HOLD}-until`]: null };
  const body = { metadata: { annotations: free } };
  for (const name of services.names) await env.kube.patch(`${PATH}/${name}`, "merge", body);
}

interface Actors {
  readonly env: Environment;
  readonly users: Users;
  readonly services: ServiceFleet;
}

interface Round extends Actors {
  /** Nodes whose machine is said to be somebody else's, so that they are not initialised. */
  readonly stuck: readonly string[];
}

/** Shows the plans first, as a dialog does, and has the leader struck when all is asked for. Answers what came of each. */
async function actions(
  round: Round,
  number: number,
  strike: () => Promise<void>,
): Promise<readonly Intent[]> {
  const { env, users, stuck } = round;
  const shown = await Promise.all(
    dangerous(round, number).map(async (action) => ({ action, hash: await users.preview(action) })),
  );
  const open = shown.map(({ action, hash }) => users.ask(action, hash));
  open.push(...harmless(env, stuck).map((action) => users.ask(action)));
  const asked = await Promise.all(open);
  await wait(env.random() * MOMENT_MS);
  const struck = strike();
  // Nobody leads now.
  asked.push(...(await Promise.all(harmless(env, stuck).map((action) => users.ask(action)))));
  await struck;
  const ended = await Promise.all(asked.map((one) => users.end(one)));
  for (const [index, intent] of ended.entries()) await isTrue(round, asked[index], intent);
  return ended;
}

async function killed({ running }: Replica, standby: Replica): Promise<void> {
  await running.stop("SIGKILL");
  await waitToLead(standby);
}

async function stopped(leader: Replica, standby: Replica): Promise<void> {
  const { running } = leader;
  leader.forsaken = true;
  running.child.kill("SIGSTOP");
  await waitToLead(standby);
  running.child.kill("SIGCONT");
  same(await running.ended, 1, "the exit code of who lost the lease");
}

/** What needs a plan that was shown, and changes something. */
function dangerous(round: Round, number: number): readonly Action[] {
  const { env, stuck, services } = round;
  const { fleet, random } = env;
  const until = Date.now() + HOUR_MS;
  const calm = fleet.names.filter((name) => name.startsWith("calm-"));
  const controls: Action = {
    ...{ role: "admin", controller: PAUSED, object: { kind: "Controller", name: PAUSED } },
    ...(number % 2 === 0
      ? { kind: "pause", action: { kind: "pause", until } }
      : { kind: "resume", action: { kind: "resume" } }),
  };
  const objects = [
    ...someOf(calm, 3, random).map((name) => node(env, name)),
    ...someOf(services.names, 2, random).map((name) => service(services, name)),
  ];
  const holds = objects.map((one): Action => {
    const isHeld = annotationsOf(round, one)[HOLD] !== undefined;
    const options = isHeld ? { kind: "release" } : { kind: "hold", until };
    return { role: "operator", kind: options.kind, action: options, ...one };
  });
  const overrides = stuck.map((name): Action => {
    const options = { kind: "override", until };
    return {
      role: "admin",
      kind: options.kind,
      action: options,
      ...node(env, name),
      confirmation: name,
    };
  });
  return [controls, ...holds, ...overrides, ...reensures(round, objects)];
}

/** Of one that nobody holds now or asks anything else of. */
function reensures(round: Round, asked: readonly Target[]): readonly Action[] {
  const { services } = round;
  const busy = new Set(asked.map(({ object }) => object.name));
  const free = services.names
    .filter((name) => !busy.has(name))
    .map((name) => service(services, name))
    .filter((one) => annotationsOf(round, one)[HOLD] === undefined);
  const options = { kind: "reensure" };
  return free
    .slice(0, 1)
    .map((one) => ({ role: "admin", kind: options.kind, action: options, ...one }));
}

/** What anybody may ask for at any time. */
function harmless(env: Environment, stuck: readonly string[]): readonly Action[] {
  const [some = "", other = ""] = someOf(env.fleet.names, 2, env.random);
  const options = { kind: "retry" };
  return [
    ...[some, other].map((name) => ({ kind: "retry", role: "operator" as const, name })),
    ...[other, ...stuck].map((name) => ({ kind: "preview", role: "viewer" as const, name })),
  ].map(({ name, ...action }): Action => ({ ...action, action: options, ...node(env, name) }));
}

type Target = Pick<Action, "controller" | "object">;

function node({ fleet }: Environment, name: string): Target {
  const uid = fleet.nodes.get(name)?.metadata.uid ?? "";
  return { controller: NODES, object: { kind: "Node", name, uid } };
}

function service({ view }: ServiceFleet, name: string): Target {
  const uid = view.get(name)?.metadata.uid ?? "";
  return { controller: SERVICES, object: { kind: "Service", namespace: "default", name, uid } };
}

/** The machines are said to be ours after all: a retry by hand initialises what was left. */
async function finish({ env, users, stuck }: Round): Promise<void> {
  await env.fleet.own(stuck);
  const retries = stuck.map((name): Action => {
    return { role: "admin", kind: "retry", action: { kind: "retry" }, ...node(env, name) };
  });
  for (const retry of retries) {
    const { state, result } = await users.end(await users.ask(retry));
    same(state, "verified", `the state of the retry of ${retry.object.name} (${result})`);
  }
  await env.fleet.settled();
}

/** Nothing else happens to these objects, so that what is verified must be there, and what is rejected must not. */
async function isTrue(actors: Actors, asked: Asked | undefined, intent: Intent): Promise<void> {
  const { kind, state, result } = intent;
  if (asked === undefined) throw new Error(`nobody asked for the ${kind} ${intent.id}`);
  if (!ALWAYS_POSSIBLE.has(kind)) return;
  same(state, "verified", `the state of the ${kind} of ${asked.action.object.name} (${result})`);
  await eventually(() => EFFECTS[kind]?.(actors, asked, intent));
}

/** A retry of a node whose machine is not ours is right to fail, and a preview may expire while nobody leads. */
const ALWAYS_POSSIBLE = new Set(["hold", "release", "override", "pause", "resume", "reensure"]);

type Effect = (actors: Actors, asked: Asked, intent: Intent) => void | Promise<void>;

const EFFECTS: Readonly<Record<string, Effect>> = {
  hold: (actors, { action, id }, { actor }) => {
    const written = annotationsOf(actors, action);
    const { name } = action.object;
    same(written[HOLD], whyOf(id), `the reason of the hold of ${name}`);
    same(written[`${HOLD}-by`], actor, `who holds ${name}`);
    const until = Date.parse(written[`${HOLD}-until`] ?? "");
    same(until, action.action.until, `the end of the hold of ${name}`);
  },
  release: (actors, { action }) => {
    const isHeld = annotationsOf(actors, action)[HOLD] !== undefined;
    demand(!isHeld, `${action.object.name} is held although released`);
  },
  override: (actors, { action, id }) => {
    const { name } = action.object;
    const taints = actors.env.fleet.nodes.get(name)?.spec.taints ?? [];
    demand(!taints.some(({ key }) => key === UNINITIALIZED), `${name} is not freed`);
    const reported = annotationsOf(actors, action)[OVERRIDE] ?? "";
    demand(reported.includes(id), `${name} does not say why`);
  },
  reensure: ({ env, services }, { action }) => services.checkOne(env.fleet, action.object.name),
  pause: async ({ env }, { id }) => {
    demand((await pauses(env)).includes(id), "the control record knows of no such pause");
  },
  resume: async ({ env }) => {
    demand(!(await pauses(env)).includes(PAUSED), "the control record has the pause still");
  },
};

type Annotations = Readonly<Record<string, string | undefined>>;

function annotationsOf({ env, services }: Actors, { object }: Target): Annotations {
  const { kind, name } = object;
  const seen = kind === "Service" ? services.view.get(name) : env.fleet.nodes.get(name);
  return seen?.metadata.annotations ?? {};
}

async function pauses({ kube }: Environment): Promise<string> {
  const path = "/api/v1/namespaces/kube-system/configmaps/cloudwright-controls";
  const { data } = await kube.get<KubeObject & { data?: Record<string, string> }>(path);
  return data?.pauses ?? "";
}
