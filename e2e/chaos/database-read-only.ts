import { fault } from "./environment.ts";
import { namesOf, someOf } from "./fleets/fleet.ts";

/** PostgreSQL answers, but takes no writes: reconciling goes on, the ledger is whole afterwards. */
export const databaseReadOnly = fault("database-read-only", async (env) => {
  const { short, random, fleet, database, start } = env;
  const rounds = short ? 1 : 5;
  const perRound = short ? 50 : 200;
  await start();
  await fleet.join(namesOf("before", perRound));
  for (let round = 0; round < rounds; round++) {
    await database.setReadOnly(true);
    await fleet.join(namesOf(`read-only-${round}`, perRound));
    await fleet.lose(someOf(fleet.names, 1, random));
    await fleet.settled();
    await database.setReadOnly(false);
  }
  return `${rounds * perRound} nodes joined while PostgreSQL took no writes`;
});
