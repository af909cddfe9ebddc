import { setTimeout as wait } from "node:timers/promises";
import { rowsOf } from "../../harness/database.ts";
import type { CloudRelay, RelayRule } from "../../harness/relays/cloud-relay.ts";
import type { Fate } from "../../harness/relays/http-relay.ts";
import { demand, eventually } from "../../harness/wait.ts";
import type { Environment } from "../environment.ts";
import type { Options, ServiceFleet } from "../fleets/service-fleet.ts";
import { spread } from "./unreliable-cloud.ts";

const BEFORE: Options = { port: 80, ranges: ["10.0.0.0/8"] };
const AFTER: Options = { port: 81, ranges: ["10.0.0.0/8", "192.168.0.0/16"] };
const STEPS = ["create", "change", "remove"] as const;
/** At least the writes of any of these steps. */
const MOST_WRITES = 3;
/** Of all answers about load balancers, so many are no answer. */
const SHARE = 0.3;
const SHARE_MS = 60_000;
/** Of the controller's own accord, by spec/30 §1. */
const LONGEST_PAUSE_MS = 300_000;
const PROVISIONING_MS = 800;

export interface Disturbed {
  readonly env: Environment;
  readonly relay: CloudRelay;
  readonly services: ServiceFleet;
}

/** What becomes of the n-th write about a Service's load balancer, from 1. */
type Disturbance = (nth: number) => Fate;

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  "wall-of-429": upTo(4, { status: 429, code: "throttled", retryAfter: 1 }),
  busy: upTo(2, { status: 409, code: "busy" }),
  internal: upTo(2, { status: 500, code: "internal" }),
  unavailable: upTo(1, { status: 503, code: "unavailable", retryAfter: 2 }),
  ...Object.fromEntries(
    Array.from({ length: MOST_WRITES }, (_, index) => [
      `lost-${index + 1}`,
      (nth: number) => (nth === index + 1 ? ("lose" as const) : undefined),
    ]),
  ),
};

/** Each is played on a creation, a change and a deletion of its own, all at once. Answers how many of what there were. */
export async function outlastAll(play: Disturbed): Promise<string> {
  const { env, services } = play;
  await env.cloud.setFaults({ provisioningMs: PROVISIONING_MS });
  const struck = await outlastRefusals(play);
  await outlastQuota(play);
  const worse = env.short ? "" : `, and ${await outlastShare(play)}`;
  await services.settled(env.fleet);
  return `${struck} answers refused or lost, a quota outlasted${worse}`;
}

export function isAboutLoadBalancers(path: string): boolean {
  return path.startsWith("/v1/load-balancers") || path.startsWith("/v1/firewall-rules");
}

async function outlastRefusals({ env, relay, services }: Disturbed): Promise<number> {
  const kinds = Object.keys(DISTURBANCES);
  for (const kind of kinds) {
    await services.create(`${kind}-change`, BEFORE);
    await services.create(`${kind}-remove`, BEFORE);
  }
  await services.settled(env.fleet);
  const struck: { readonly name: string; readonly fate: Fate }[] = [];
  const lifts = Object.entries(DISTURBANCES).flatMap(([kind, disturbance]) =>
    STEPS.map((step) => {
      const name = `${kind}-${step}`;
      const reported = (nth: number) => {
        const fate = disturbance(nth);
        if (fate !== undefined) struck.push({ name, fate });
        return fate;
      };
      return relay.rule(onWritesOf(name, reported));
    }),
  );
  for (const kind of kinds) {
    await services.create(`${kind}-create`, BEFORE);
    await services.change(`${kind}-change`, AFTER);
    await services.remove(`${kind}-remove`);
  }
  await services.settled(env.fleet);
  for (const lift of lifts) lift();
  const lost = struck.filter(({ fate }) => fate === "lose").map(({ name }) => name);
  await reportedAsUnknown(env.database.url, lost);
  return struck.length;
}

/** It may have been made, and nobody got the answer. */
async function reportedAsUnknown(url: string, services: readonly string[]): Promise<void> {
  const sql = `SELECT object_name AS name FROM audit_entries
                WHERE action LIKE 'balancer.%' AND result = 'unknown'`;
  await eventually(async () => {
    const rows = await rowsOf<{ name: string }>(url, sql);
    const reported = new Set(rows.map(({ name }) => name));
    const unrecorded = services.filter((name) => !reported.has(name));
    demand(unrecorded.length === 0, `no entry says that these writes were lost: ${unrecorded}`);
  });
}

function onWritesOf(name: string, disturbance: Disturbance): RelayRule {
  let nth = 0;
  return {
    fits: ({ method, path, service }) =>
      method !== "GET" && isAboutLoadBalancers(path) && service === `default/${name}`,
    strike: () => {
      nth += 1;
      return disturbance(nth);
    },
  };
}

/** The cloud has no room for one more, until another one goes. */
async function outlastQuota({ env, relay, services }: Disturbed): Promise<void> {
  const { cloud, fleet } = env;
  await services.create("makes-room", BEFORE);
  await services.settled(fleet);
  const { items } = await cloud.admin<{ items: object[] }>("GET", "/admin/load-balancers");
  const quotas = { loadBalancers: items.length };
  await cloud.setFaults({ provisioningMs: PROVISIONING_MS, quotas });
  await services.create("has-no-room", BEFORE);
  const refused = (status: number | undefined) => status === 409;
  await eventually(() => {
    const calls = relay.calls.filter(({ service }) => service === "default/has-no-room");
    demand(
      calls.some(({ status }) => refused(status)),
      "the cloud has not refused it yet",
    );
  });
  await services.remove("makes-room");
  await services.settled(fleet);
  await cloud.setFaults({ provisioningMs: PROVISIONING_MS });
}

async function outlastShare({ env, services }: Disturbed): Promise<string> {
  const { cloud, fleet, random } = env;
  const names = Array.from({ length: 20 }, (_, index) => `unlucky-${index}`);
  for (const name of names.slice(5)) await services.create(name, BEFORE);
  await services.settled(fleet);
  const paths = ["/v1/load-balancers*", "/v1/firewall-rules*"];
  const rules = paths.flatMap((path) => spread(SHARE).map((rule) => ({ ...rule, path })));
  await cloud.setFaults({ seed: Math.floor(random() * 2 ** 31), rules });
  for (const name of names.slice(0, 5)) await services.create(name, BEFORE);
  for (const name of names.slice(5, 15)) await services.change(name, AFTER);
  for (const name of names.slice(15)) await services.remove(name);
  await wait(SHARE_MS);
  await cloud.setFaults({});
  // As long as what has failed often may wait for its next try, and a little.
  await services.settled(fleet, LONGEST_PAUSE_MS + 60_000);
  return `${names.length} Services while ${SHARE * 100} % of the answers were none`;
}

function upTo(times: number, fate: Fate): Disturbance {
  return (nth) => (nth <= times ? fate : undefined);
}
