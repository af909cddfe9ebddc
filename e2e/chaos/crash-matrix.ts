import { relayedWay } from "../conformance/world.ts";
import type { CloudRelay, RelayRule } from "../harness/cloud-relay.ts";
import { hasEnded, type RunningController } from "../harness/controller.ts";
import { demand, eventually } from "../harness/wait.ts";
import { namesOf } from "./fleet.ts";
import { onScene, type Scene } from "./scene.ts";
import { ServiceFleet } from "./service-fleet.ts";
import { servicesWhole } from "./service-ledger.ts";

const BEFORE = { port: 80, ranges: ["10.0.0.0/8"] };
const AFTER = { port: 81, ranges: ["10.0.0.0/8", "192.168.0.0/16"] };
const OPEN = { port: 80, ranges: [] };
/** More calls than any of these takes. */
const MOST_CALLS = 20;

interface Play {
  readonly scene: Scene;
  readonly relay: CloudRelay;
  readonly services: ServiceFleet;
  start(): Promise<RunningController>;
}

/** What befalls the cloud's answers about one Service's balancer: never the end of it. */
const DISTURBANCES: Readonly<Record<string, Pick<RelayRule, "times" | "strike">>> = {
  "wall-of-429": { times: 5, strike: () => ({ status: 429, code: "throttled", retryAfter: 1 }) },
  busy: { times: 2, strike: () => ({ status: 409, code: "busy" }) },
  quota: { times: 2, strike: () => ({ status: 409, code: "quota_exceeded" }) },
  internal: { times: 2, strike: () => ({ status: 500, code: "internal" }) },
  "lost-answers": { times: 2, strike: () => "lose" },
};

/**
 * The controller dies by kill -9 right after the cloud has done each single thing that it asks for, of a creation, a change
 * and a deletion; every such answer is lost, too; and the cloud refuses for a while. Nothing is leaked, doubled or deleted
 * wrongly, and the ledger knows it all.
 */
export const crashMatrix = onScene("crash-matrix", async (scene) => {
  const { relay, config } = await relayedWay(scene, scene.dir);
  scene.after(() => relay.close());
  const services = await ServiceFleet.open(scene);
  scene.after(() => services.close());
  const play = { scene, relay, services, start: () => scene.start({ cloudConfig: config }) };
  const first = await play.start();
  await scene.fleet.join(namesOf("member", 3));
  await scene.fleet.settled();
  const { kills, running } = await killAfterEach(play, first);
  const lost = await loseEach(play);
  const disturbed = await disturbAll(play);
  await services.settled(scene.fleet);
  demand(!hasEnded(running), "the last controller ended");
  const told = await servicesWhole(scene.database.url, services);
  return `${kills} kills, ${lost} lost answers, ${disturbed} disturbed Services; ${told}`;
});

type Step = "create" | "change" | "remove" | "open" | "limit";

/** Killed after the n-th call of each step, for every n that the step has. */
async function killAfterEach(
  play: Play,
  first: RunningController,
): Promise<{ readonly kills: number; readonly running: RunningController }> {
  let running = first;
  let kills = 0;
  for (const step of ["create", "change", "open", "limit", "remove"] as const) {
    for (let nth = 1; nth <= MOST_CALLS; nth++) {
      const name = `killed-${step}-${nth}`;
      await prepare(play, step, name);
      const isDead = armed(play.relay, nth, running);
      await take(play, step, name);
      await Promise.race([play.services.settled(play.scene.fleet), running.ended]);
      if (!isDead()) break;
      await running.ended;
      kills += 1;
      running = await play.start();
      await play.services.settled(play.scene.fleet);
    }
    play.relay.onHandled(() => undefined);
  }
  return { kills, running };
}

/** Every request about balancers counts; the answer of the n-th never arrives. */
function armed(relay: CloudRelay, nth: number, victim: RunningController): () => boolean {
  let seen = 0;
  relay.onHandled(({ path }) => {
    if (!isAboutBalancers(path)) return;
    seen += 1;
    if (seen === nth) victim.child.kill("SIGKILL");
  });
  return () => seen >= nth;
}

/** The n-th answer of each step is lost, while the controller lives on. */
async function loseEach(play: Play): Promise<number> {
  let losses = 0;
  for (const step of ["create", "change", "remove"] as const) {
    for (let nth = 1; nth <= MOST_CALLS; nth++) {
      const name = `lost-${step}-${nth}`;
      await prepare(play, step, name);
      let seen = 0;
      const lift = play.relay.rule({
        fits: ({ path, service }) =>
          isAboutBalancers(path) && (service === undefined || service === `default/${name}`),
        strike: () => {
          seen += 1;
          return seen === nth ? "lose" : undefined;
        },
      });
      await take(play, step, name);
      await play.services.settled(play.scene.fleet);
      lift();
      if (seen < nth) break;
      losses += 1;
    }
  }
  return losses;
}

/** All at once: what is wrong with one Service's balancer is not to hold up another's for long. */
async function disturbAll({ relay, services, scene }: Play): Promise<number> {
  const names: string[] = [];
  for (const [what, disturbance] of Object.entries(DISTURBANCES)) {
    for (const step of ["create", "change", "remove"] as const) {
      const name = `${what}-${step}`;
      names.push(name);
      if (step !== "create") await services.create(name, BEFORE);
    }
    await services.settled(scene.fleet);
    for (const step of ["create", "change", "remove"] as const) {
      const name = `${what}-${step}`;
      relay.rule({
        fits: ({ method, service }) => method !== "GET" && service === `default/${name}`,
        ...disturbance,
      });
    }
    await services.create(`${what}-create`, BEFORE);
    await services.change(`${what}-change`, AFTER);
    await services.remove(`${what}-remove`);
  }
  await services.settled(scene.fleet);
  return names.length;
}

async function prepare({ services, scene, relay }: Play, step: Step, name: string): Promise<void> {
  relay.onHandled(() => undefined);
  if (step === "create") return;
  await services.create(name, step === "limit" ? OPEN : BEFORE);
  await services.settled(scene.fleet);
  // What follows a settled Service, such as a look at what was made, is not to count for the step.
  let calls = -1;
  await eventually(async () => {
    const before = calls;
    calls = relay.calls.length;
    demand(before === calls, "the cloud is still asked");
  });
}

async function take({ services }: Play, step: Step, name: string): Promise<void> {
  if (step === "create") await services.create(name, BEFORE);
  else if (step === "change") await services.change(name, AFTER);
  else if (step === "open") await services.change(name, OPEN);
  else if (step === "limit") await services.change(name, AFTER);
  else await services.remove(name);
}

function isAboutBalancers(path: string): boolean {
  return path.startsWith("/v1/load-balancers") || path.startsWith("/v1/firewall-rules");
}
