import type { KubeEvent } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { Environment, SharedEnvironment } from "../environment/scenario.ts";
import {
  about,
  changesOf,
  isMembersOnly,
  key,
  loadBalancerFor,
  preparedService,
  untilLoadBalancer,
} from "./objects.ts";

/** Returns the Events of a row's Service. */
export function serviceEvents({ events }: Environment, name: string): readonly KubeEvent[] {
  return events
    .all()
    .filter(({ involvedObject: { kind, name: of } }) => kind === "Service" && of === name);
}

export function eventCount(env: Environment, name: string, reason: string): number {
  return serviceEvents(env, name)
    .filter((event) => event.reason === reason)
    .reduce((sum, { count = 1 }) => sum + count, 0);
}

/** Waits for an Event with this reason whose message contains all the parts; returns it. */
export function reported(
  env: Environment,
  name: string,
  [reason, ...parts]: string[],
): Promise<KubeEvent> {
  return eventually(
    () => {
      const events = serviceEvents(env, name);
      const found = events.find(
        (event) => event.reason === reason && parts.every((part) => event.message.includes(part)),
      );
      const said = events.map((event) => `${event.reason}: ${event.message}`).join("; ");
      demand(
        found !== undefined,
        `no ${reason} with ${parts.join(", ")} about ${name} in: ${said}`,
      );
      return found;
    },
    { on: env.events },
  );
}

/** Waits for a Warning with this reason. */
export async function warnedOf(
  env: Environment,
  name: string,
  parts: string[],
): Promise<KubeEvent> {
  const event = await reported(env, name, parts);
  demand(event.type === "Warning", `${event.reason} about ${name} is ${event.type}`);
  return event;
}

export function notReported(env: Environment, name: string, ...reasons: string[]): void {
  const found = serviceEvents(env, name).find(({ reason }) => reasons.includes(reason));
  demand(found === undefined, `${name} has the Event ${found?.reason}: ${found?.message}`);
}

/** Counts the ended runs about this Service in the log of a controller with `--v=2`; `trigger` filters them. */
export function runsOf(env: SharedEnvironment, name: string, trigger?: string): number {
  const object = `object=Service/${key(name)} `;
  return env.controller
    .output()
    .split("\n")
    .filter(
      (line) =>
        line.includes("Run ended") &&
        line.includes(object) &&
        (trigger === undefined || line.includes(`trigger=${trigger} `)),
    ).length;
}

/** Waits until nothing has been done about this Service for a while, so that anything later results from the row's next step. */
export async function quiet(env: SharedEnvironment, name: string, forMs = 1_500): Promise<void> {
  await eventually(
    async () => {
      const before = runsOf(env, name, "change");
      await always(
        () => demand(runsOf(env, name, "change") === before, `${name} is still worked on`),
        { forMs },
      );
    },
    { withinMs: 30_000 },
  );
}

/** Returns how often the API server accepted an address in the Service's status; undefined if it keeps no record. */
export async function statusWrites(
  { cluster }: Environment,
  name: string,
): Promise<number | undefined> {
  const writes = await cluster.serviceWrites(name);
  return writes?.filter(
    ({ path, body, code }) =>
      path.split("?")[0]?.endsWith("/status") === true &&
      code < 300 &&
      JSON.stringify(body ?? "").includes("ingress"),
  ).length;
}

/** Waits for a run about this Service in the ledger whose reason has these fields, and this outcome if `outcome` is given. */
export async function inLedger(
  env: Environment,
  name: string,
  wanted: Readonly<Record<string, unknown>> & { readonly outcome?: string },
): Promise<void> {
  const { outcome: wantedOutcome, ...members } = wanted;
  await eventually(async () => {
    const runs = await env.history(["--object", key(name), "--limit", "200"]);
    const fitting = runs.some(
      ({ reason, outcome }) =>
        (wantedOutcome === undefined || outcome === wantedOutcome) &&
        Object.entries(members).every(([member, value]) => reason?.[member] === value),
    );
    const found = runs.map(({ outcome, reason }) => `${outcome} ${JSON.stringify(reason)}`);
    demand(fitting, `no run of ${name} is ${JSON.stringify(wanted)} among ${found.join(", ")}`);
  });
}

/** Machines, by their ids. */
export interface WantedMembers {
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  readonly withinMs?: number;
}

export function failMembersOnce(env: SharedEnvironment, name: string): void {
  env.relay.rule({
    fits: about(name, isMembersOnly),
    times: 1,
    strike: () => ({ status: 500, code: "internal" }),
  });
}

export async function hasMembers(
  env: SharedEnvironment,
  name: string,
  { has, lacks = [], withinMs = 30_000 }: WantedMembers,
): Promise<void> {
  await untilLoadBalancer(env, name, {
    withinMs,
    check: ({ members }) => {
      const missing = has.filter((id) => !members.includes(id));
      same(missing, [], `members that ${name} lacks`);
      const wrong = lacks.filter((id) => members.includes(id));
      same(wrong, [], `members that ${name} should not have`);
    },
  });
}

/** Checks that there was no lbEnsure: only members have changed since, and the first ensure is the only one in the Events. */
export async function onlyMembersSince(
  env: SharedEnvironment,
  name: string,
  before: number,
): Promise<void> {
  // Normal Events wait while more urgent writes are pending, so this one may come after the members.
  await reported(env, name, ["EnsuredLoadBalancer"]);
  const others = changesOf(env, name)
    .slice(before)
    .filter((call) => !isMembersOnly(call));
  same(others.length, 0, `changes of ${name} beyond its members`);
  same(eventCount(env, name, "EnsuredLoadBalancer"), 1, `ensures of ${name}`);
}

/** Waits for its load balancer; returns how often it was changed. */
export async function preparedLoadBalancer(env: SharedEnvironment, name: string): Promise<number> {
  await preparedService(env, name);
  await loadBalancerFor(env, name);
  return changesOf(env, name).length;
}
