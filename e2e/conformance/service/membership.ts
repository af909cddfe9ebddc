import { same } from "../../harness/wait.ts";
import type { World } from "../environment/scenario.ts";
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

export function failMembersOnce(world: World, name: string): void {
  world.relay.rule({
    fits: about(name, isMembersOnly),
    times: 1,
    strike: () => ({ status: 500, code: "internal" }),
  });
}

export async function hasMembers(
  world: World,
  name: string,
  { has, lacks = [], withinMs = 30_000 }: WantedMembers,
): Promise<void> {
  await untilBalancer(world, name, {
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
export async function onlyMembersSince(world: World, name: string, before: number): Promise<void> {
  // An Event of what went well waits while the API server has more pressing work, so it may come after the members.
  await told(world, name, ["EnsuredLoadBalancer"]);
  const others = changesOf(world, name)
    .slice(before)
    .filter((call) => !isMembersOnly(call));
  same(others.length, 0, `changes of ${name} beyond its members`);
  same(eventCount(world, name, "EnsuredLoadBalancer"), 1, `ensures of ${name}`);
}

/** Its balancer is there; answers how many changes of it there were. */
export async function preparedBalancer(world: World, name: string): Promise<number> {
  await preparedService(world, name);
  await balancerFor(world, name);
  return changesOf(world, name).length;
}
