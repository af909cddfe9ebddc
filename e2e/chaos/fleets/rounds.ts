import type { Environment } from "../environment.ts";
import { namesOf, someOf } from "./fleet.ts";

/** Nodes come in small groups, and of those that are there a few machines go, while `isOver` is false. Answers how many came. */
export async function comeAndGo(env: Environment, isOver: () => boolean): Promise<number> {
  const { fleet, random } = env;
  let came = 0;
  for (let group = 0; !isOver(); group++) {
    await fleet.join(namesOf(`group-${group}`, GROUP));
    came += GROUP;
    if (fleet.lostNames.size < MOST_LOST) await fleet.lose(someOf(fleet.names, 1, random));
  }
  return came;
}

const GROUP = 10;
/** What the deletion guard lets pass in any case. */
const MOST_LOST = 5;
