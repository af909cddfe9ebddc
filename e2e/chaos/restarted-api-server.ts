import { type Environment, fault } from "./environment.ts";
import { comeAndGo } from "./fleets/rounds.ts";

/** The API server dies by kill -9 at random moments and comes back with what it had. */
export const restartedApiServer = fault("restarted-api-server", async (env) => {
  const { short, fleet, start } = env;
  const times = short ? 2 : 10;
  const controller = await start();
  let over = false;
  const restarting = restartNowAndThen(env, times).finally(() => {
    over = true;
  });
  const came = await comeAndGo(env, () => over);
  await restarting;
  await fleet.settled();
  if (controller.child.exitCode !== null) throw new Error("the controller ended");
  return `${times} deaths of the API server while ${came} nodes joined`;
});

/** After some nodes more each time. */
async function restartNowAndThen(
  { cluster, fleet, random }: Environment,
  times: number,
): Promise<void> {
  if (cluster.restart === undefined) throw new Error("this API server is not ours to kill");
  for (let done = 0; done < times; done++) {
    const wanted = fleet.everyName.length + 10 + Math.floor(random() * 60);
    while (fleet.everyName.length < wanted) await fleet.nodes.changed(500);
    await cluster.restart();
  }
}
