import { onTestFinished } from "vitest";
import { ServiceFixture, service } from "./service-fixture.ts";

/** Returns a settled fixture, which is stopped after the test. */
export async function fixture(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = new ServiceFixture(...args);
  onTestFinished(() => made.stop());
  return made.settle();
}

/** Returns one whose Service is served, without a record of how that happened. */
export async function served(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = await fixture(...args);
  made.services.put(service());
  await made.settle();
  made.take();
  return made;
}
