import { same } from "../../harness/wait.ts";
import type { SharedEnvironment } from "../environment/scenario.ts";
import { eventCount, told } from "./evidence.ts";
import {
  about,
  balancerFor,
  changesOf,
  isMembersOnly,
  preparedService,
  untilBalancer,
} from "./objects.ts";

/** Machines by their ids. */
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
  await untilBalancer(env, name, {
    withinMs,
    check: ({ members }) => {
      const missing = has.filter((id) => !members.includes(id));
      same(missing, [], `members that ${name} lacks`);
      const wrong = lacks.filter((id) => members.includes(id));
      same(wrong, [], `members that ${name} should not have`);
    },
  });
}

/** No lbEnsure: what was changed since was the members and nothing else, and the first ensure is the only one in the Events. */
export async function onlyMembersSince(
  env: SharedEnvironment,
  name: string,
  before: number,
): Promise<void> {
  // An Event of what went well waits while the API server has more pressing work, so it may come after the members.
  await told(env, name, ["EnsuredLoadBalancer"]);
  const others = changesOf(env, name)
    .slice(before)
    .filter((call) => !isMembersOnly(call));
  same(others.length, 0, `changes of ${name} beyond its members`);
  same(eventCount(env, name, "EnsuredLoadBalancer"), 1, `ensures of ${name}`);
}

/** Its balancer is there; answers how many changes of it there were. */
export async function preparedBalancer(env: SharedEnvironment, name: string): Promise<number> {
  await preparedService(env, name);
  await balancerFor(env, name);
  return changesOf(env, name).length;
}
