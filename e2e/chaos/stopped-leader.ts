import type { SeenRequest } from "../conformance/cluster-under-test.ts";
import { demand, same } from "../harness/wait.ts";
import { namesOf, someOf } from "./fleet.ts";
import { leadsSince, type Replica, startPair, startReplica, waitToLead } from "./replicas.ts";
import { onScene, type Scene } from "./scene.ts";

/**
 * The leader is stopped (SIGSTOP) at a random moment of its work, and goes on (SIGCONT) when another one has long led: it
 * writes not once more, by the API server's own record.
 */
export const stoppedLeader = onScene("stopped-leader", async (scene) => {
  const { short, fleet, random } = scene;
  const rounds = short ? 2 : 10;
  const perRound = short ? 60 : 200;
  let [leader, standby] = await startPair(scene);
  for (let round = 0; round < rounds; round++) {
    const names = namesOf(`stopped-${round}`, perRound);
    const done = Math.floor(random() * perRound);
    const going = someOf(fleet.names, 1, random);
    const joined = fleet.join(names);
    while (fleet.initialised(names) < done) await fleet.nodes.changed(1_000);
    leader.running.child.kill("SIGSTOP");
    await joined;
    await waitToLead(standby);
    const lostAt = await leadsSince(scene);
    await fleet.lose(going);
    await fleet.settled();
    await silentWhenItGoesOn(scene, leader, lostAt);
    [leader, standby] = [standby, await startReplica(scene, leader.name)];
  }
  return `${rounds} leaders stopped past their lease, none wrote afterwards`;
});

async function silentWhenItGoesOn(
  { cluster }: Scene,
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
  const told = late.map(({ at, verb, path, code }) => `${at - lostAt} ms: ${verb} ${path} ${code}`);
  same(told, [], `what ${name} wrote after it had lost the lease`);
}

/** Whoever led says once that this is over, as upstream does; that changes nothing that another one works on. */
const ELECTION_EVENTS = "/api/v1/namespaces/kube-system/events";
const READS = new Set(["get", "list", "watch"]);
/** Questions that have to be put as a creation. */
const QUESTIONS = /\/(tokenreviews|subjectaccessreviews|selfsubjectaccessreviews|token)(\?|$)/;

function isWrite({ verb, path }: SeenRequest): boolean {
  return !READS.has(verb) && !QUESTIONS.test(path);
}
