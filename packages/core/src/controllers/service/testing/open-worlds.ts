import { afterEach } from "vitest";
import { ServiceWorld, service } from "./service-fixture.ts";

const worlds: ServiceWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

/** A world that has come to rest; it is stopped after the test. */
export async function world(
  ...args: ConstructorParameters<typeof ServiceWorld>
): Promise<ServiceWorld> {
  const made = new ServiceWorld(...args);
  worlds.push(made);
  return made.settle();
}

/** One whose Service is served, with nothing said of how it came to that. */
export async function served(
  ...args: ConstructorParameters<typeof ServiceWorld>
): Promise<ServiceWorld> {
  const made = await world(...args);
  made.services.put(service());
  await made.settle();
  made.take();
  return made;
}
