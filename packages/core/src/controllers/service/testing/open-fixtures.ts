import { onTestFinished } from "vitest";
import { ServiceFixture, service } from "./service-fixture.ts";

/** A fixture that has come to rest; it is stopped after the test. */
export async function fixture(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = new ServiceFixture(...args);
  onTestFinished(() => made.stop());
  return made.settle();
}

/** One whose Service is served, with nothing said of how it came to that. */
export async function served(
  ...args: ConstructorParameters<typeof ServiceFixture>
): Promise<ServiceFixture> {
  const made = await fixture(...args);
  made.services.put(service());
  await made.settle();
  made.take();
  return made;
}
