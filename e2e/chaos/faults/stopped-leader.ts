import type { SeenRequest } from "../../conformance/clusters/cluster-under-test.ts";
import { relayedWay } from "../../conformance/environment/shared.ts";
import type { CloudRelay } from "../../harness/relays/cloud-relay.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type Environment, fault } from "../environment.ts";
import { namesOf, someOf } from "../fleets/fleet.ts";
import { ServiceFleet } from "../fleets/service-fleet.ts";
import { servicesWhole } from "../ledger.ts";
import { leadsSince, type Replica, startPair, startReplica, waitToLead } from "../replicas.ts";

/**
 * The leader is stopped (SIGSTOP) at a random moment of its work, and goes on (SIGCONT) when another one has long led: it
 * writes not once more, neither by the API server's own record nor by that of its way to the cloud.
 */
export const stoppedLeader = fault("stopped-leader", async (env) => {
  const { short, fleet, random, cloud } = env;
  const rounds = short ? 2 : 10;
  const perRound = short ? 60 : 200;
  await cloud.setFaults({ rules: [{ path: "/v1/load-balancers*", latencyMs: 100 }] });
  const services = await ServiceFleet.open(env);
  env.after(() => services.close());
  const ways = { a: await wayToCloud(env), b: await wayToCloud(env) };
  let [leader, standby] = await startPair(env, (name) => wayOf(ways, name));
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`stopped-${round}`, perRound);
    const done = Math.floor(random() * perRound);
    const going = someOf(fleet.names, 1, random);
    const joined = fleet.join(names);
    while (fleet.initialised(names) < done) await fleet.nodes.changed(1_000);
    await createServices(services, round);
    await someCreations(wayOf(ways, leader.name), 1 + Math.floor(random() * SERVICES));
    leader.forsaken = true;
    leader.running.child.kill("SIGSTOP");
    await joined;
    await waitToLead(standby);
    const lostAt = await leadsSince(env);
    await fleet.lose(going);
    await fleet.settled();
    await services.settled(fleet);
    await silentWhenItGoesOn(env, leader, lostAt);
    cloudUntouched(wayOf(ways, leader.name), lostAt);
    [leader, standby] = [standby, await startReplica(env, leader.name, wayOf(ways, leader.name))];
  }
  const reported = await servicesWhole(env.database.url, services);
  return `${rounds} leaders stopped past their lease, none wrote afterwards; ${reported}`;
});

const SERVICES = 20;

interface WayToCloud {
  readonly relay: CloudRelay;
  readonly cloudConfig: string;
}

/** The cloud does not know who asks; a separate relay for each replica does. */
async function wayToCloud(env: Environment): Promise<WayToCloud> {
  const { relay, config } = await relayedWay(env, env.dir);
  env.after(() => relay.close());
  return { relay, cloudConfig: config };
}

function wayOf(ways: Readonly<Record<string, WayToCloud>>, name: string): WayToCloud {
  const way = ways[name];
  if (way === undefined) throw new Error(`${name} has no way to the cloud`);
  return way;
}

async function createServices(services: ServiceFleet, round: number): Promise<void> {
  for (const name of services.names.slice(0, SERVICES / 2)) await services.remove(name);
  for (const name of namesOf(`web-${round}`, SERVICES))
    await services.create(name, { port: 80, ranges: ["10.0.0.0/8"] });
}

/** Until so many load balancers are being made. */
function someCreations({ relay }: WayToCloud, count: number): Promise<void> {
  const before = relay.calls.length;
  return eventually(() => {
    const made = relay.calls.slice(before).filter(({ method }) => method === "POST").length;
    demand(made >= count, `${made} of ${count} things are made`);
  });
}

function cloudUntouched({ relay }: WayToCloud, lostAt: number): void {
  demand(
    relay.calls.some(({ method }) => method !== "GET"),
    "it has never changed the cloud",
  );
  const late = relay.calls.filter(({ at, method }) => at >= lostAt && method !== "GET");
  const reported = late.map(({ at, method, path }) => `${at - lostAt} ms: ${method} ${path}`);
  same(reported, [], "what it changed in the cloud after it had lost the lease");
}

async function silentWhenItGoesOn(
  { cluster }: Environment,
  { name, running }: Replica,
  lostAt: number,
): Promise<void> {
  running.child.kill("SIGCONT");
  same(await running.ended, 1, "the exit code of who lost the lease");
  const seen = await cluster.requestsOf(name);
  if (seen === undefined) throw new Error("this cluster keeps no record of requests");
  demand(seen.some(isWrite), `${name} has no writes on the API server's record at all`);
  const late = seen.filter((request) => request.at >= lostAt && isWrite(request));
  const farewell = late.findIndex(({ path }) => path.startsWith(ELECTION_EVENTS));
  if (farewell >= 0) late.splice(farewell, 1);
  const renewal = late.findIndex(isRefusedRenewal);
  if (renewal >= 0) late.splice(renewal, 1);
  const reported = late.map(
    ({ at, verb, path, code }) => `${at - lostAt} ms: ${verb} ${path} ${code}`,
  );
  same(reported, [], `what ${name} wrote after it had lost the lease`);
}

/** Whoever led says once that this is over, as upstream does; that changes nothing that another one works on. */
const ELECTION_EVENTS = "/api/v1/namespaces/kube-system/events";

/** A renewal that was leaving in the very moment of the stop: by the version that it names the API server refuses it. */
function isRefusedRenewal({ verb, path, code }: SeenRequest): boolean {
  return verb === "update" && path.startsWith(LEASES) && code === 409;
}

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/";
const READS = new Set(["get", "list", "watch"]);
/** Questions that have to be put as a creation. */
const QUESTIONS = /\/(tokenreviews|subjectaccessreviews|selfsubjectaccessreviews|token)(\?|$)/;

function isWrite({ verb, path }: SeenRequest): boolean {
  return !READS.has(verb) && !QUESTIONS.test(path);
}
