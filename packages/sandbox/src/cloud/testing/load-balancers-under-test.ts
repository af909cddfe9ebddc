import { CloudUnderTest, type Made } from "./cloud-under-test.ts";

export const LOAD_BALANCERS = "/v1/load-balancers";

/** Provides a new cloud for each test of the file, and functions to create resources in it. */
export function loadBalancersForEachTest() {
  const cloud = CloudUnderTest.forEachTest();
  return {
    cloud,
    make: (fields: object = {}, headers: Record<string, string> = {}): Promise<Made> =>
      cloud.make(LOAD_BALANCERS, { name: "lb", ...fields }, headers),
    /** Returns the machine's id. */
    makeMachine: async (name = "n"): Promise<string> =>
      (await cloud.make("/v1/instances", { name })).id,
  };
}

export function pathOf({ id }: { readonly id: string }): string {
  return `${LOAD_BALANCERS}/${id}`;
}
