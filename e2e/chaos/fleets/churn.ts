import { setTimeout as wait } from "node:timers/promises";
import { type Fleet, namesOf, someOf } from "./fleet.ts";
import type { Options, ServiceFleet } from "./service-fleet.ts";

export interface Churn {
  /** Of the Services' names. */
  readonly prefix: string;
  readonly count: number;
  readonly dice: () => number;
}

/** Between two edits at most. */
const MOST_PAUSE_MS = 300;

/**
 * So many Services come, a moment apart, and meanwhile and afterwards they get other ports and source ranges, are taken inside
 * and out again, and are deleted, by the dice.
 */
export async function churn(services: ServiceFleet, { prefix, count, dice }: Churn): Promise<void> {
  const mine: string[] = [];
  for (const name of namesOf(prefix, count)) {
    mine.push(name);
    await services.create(name, options(dice));
    await wait(dice() * MOST_PAUSE_MS);
    if (dice() < 0.6) await changeOrRemove(services, mine, dice);
  }
  for (let edits = 0; edits < count; edits++) {
    await wait(dice() * MOST_PAUSE_MS);
    await changeOrRemove(services, mine, dice);
  }
}

/** Nodes join, and others are deleted by hand, while `isOver` is false. Answers how many came. */
export async function nodesComeAndGo(
  fleet: Fleet,
  { prefix, dice }: Omit<Churn, "count">,
  isOver: () => boolean,
): Promise<number> {
  let came = 0;
  for (; !isOver(); came++) {
    await fleet.join([`${prefix}-node-${came}`]);
    await wait(dice() * 4 * MOST_PAUSE_MS);
    if (dice() < 0.8) await fleet.deleteNodes(someOf(fleet.names.slice(1), 1, dice));
  }
  return came;
}

async function changeOrRemove(
  services: ServiceFleet,
  mine: string[],
  dice: () => number,
): Promise<void> {
  const [name] = someOf(mine, 1, dice);
  if (name === undefined) return;
  if (dice() < 0.7) return services.change(name, options(dice));
  mine.splice(mine.indexOf(name), 1);
  await services.remove(name);
}

function options(dice: () => number): Options {
  const range = `10.${Math.floor(dice() * 256)}.0.0/16`;
  return {
    port: 1_000 + Math.floor(dice() * 60_000),
    ranges: dice() < 0.5 ? [] : [range],
    inside: dice() < 0.15,
  };
}
