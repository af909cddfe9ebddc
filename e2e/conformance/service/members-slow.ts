import { demand, eventually, same } from "../../harness/wait.ts";
import { row, type Scenario } from "../environment/scenario.ts";
import { hasMembers, preparedBalancer } from "./membership.ts";
import {
  about,
  changesOf,
  createMember,
  deleteService,
  editSpec,
  HTTP,
  isDeletion,
  isMembersOnly,
  noBalancer,
  serviceGone,
} from "./objects.ts";

/** Rows about updates of the members that take their time. */
export const SLOW_MEMBERS: readonly Scenario[] = [
  row("S-70", "no update of the members ends after the deletion has begun", async (env) => {
    await preparedBalancer(env, "s-70");
    let isUnderWay = false;
    env.relay.rule({
      fits: about("s-70", isMembersOnly),
      strike: async () => {
        isUnderWay = true;
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        return undefined;
      },
    });
    await createMember(env, "s-70-n");
    await eventually(() => demand(isUnderWay, "the members are not updated yet"));
    await deleteService(env, "s-70");
    await serviceGone(env, "s-70");
    await noBalancer(env, "s-70");
    const changes = changesOf(env, "s-70");
    const deletedAt = changes.find(isDeletion)?.at ?? 0;
    const late = changes
      .filter(isMembersOnly)
      .filter(({ endedAt }) => (endedAt ?? Number.POSITIVE_INFINITY) > deletedAt);
    same(late.length, 0, "updates that ended after the deletion began");
  }),
  row(
    "S-58",
    "a slow update of one Service takes no newer node away from it or another one",
    async (env) => {
      const names = ["s-58-a", "s-58-b"];
      for (const name of names) await preparedBalancer(env, name);
      for (const name of names)
        env.relay.rule({
          fits: about(name, isMembersOnly),
          strike: async () => {
            await new Promise((resolve) => setTimeout(resolve, 3_000));
            return undefined;
          },
        });
      const first = await createMember(env, "s-58-n1");
      await eventually(() =>
        demand(changesOf(env, "s-58-a").some(isMembersOnly), "nothing is updated yet"),
      );
      const second = await createMember(env, "s-58-n2");
      await editSpec(env, "s-58-b", { ports: [{ ...HTTP, port: 8_058 }] });
      for (const name of names)
        await hasMembers(env, name, { has: [first, second], withinMs: 45_000 });
      const kept = names.flatMap((name) => changesOf(env, name).filter(isMembersOnly));
      let has = new Set<string>();
      for (const { service, body } of kept) {
        const members = (body?.members ?? []) as string[];
        const tag = (id: string) => `${service} ${id}`;
        const lost = [...has].filter(
          (entry) => entry.startsWith(`${service} `) && !members.map(tag).includes(entry),
        );
        same(lost, [], "members that an update took away again");
        has = new Set([...has, ...members.filter((id) => [first, second].includes(id)).map(tag)]);
      }
    },
  ),
];
