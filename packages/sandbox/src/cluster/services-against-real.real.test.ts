import { expect, it } from "vitest";
import { compareWithReal } from "./testing/against-real.ts";
import type { ApiClient } from "./testing/api-client.ts";
import type { Step } from "./testing/comparison.ts";
import { SERVICE_CHANGES } from "./testing/steps/service-changes.ts";
import { SERVICE_CREATION } from "./testing/steps/service-creation.ts";
import { SERVICE_REFUSALS } from "./testing/steps/service-refusals.ts";
import { SERVICE_STATUS } from "./testing/steps/service-status.ts";
import { SERVICES } from "./testing/steps/services.ts";

/** In order: later steps depend on earlier ones. */
const STEPS: readonly Step[] = [
  ...SERVICE_CREATION,
  ...SERVICE_REFUSALS,
  ...SERVICE_CHANGES,
  ...SERVICE_STATUS,
];

compareWithReal("services, as a real API server treats them", STEPS, (clients) => {
  it.each([
    ["/api/v1", ["services", "endpoints", "persistentvolumes", "persistentvolumeclaims"]],
    ["/apis/discovery.k8s.io/v1", ["endpointslices"]],
    ["/apis/storage.k8s.io/v1", ["storageclasses"]],
  ])("says the same of what %s holds", async (path, plurals) => {
    const [expected, overridden] = await Promise.all(
      clients().map((client) => discovered(client, path, plurals)),
    );
    expect(overridden).toEqual(expected);
    expect(overridden?.length).toBeGreaterThanOrEqual(plurals.length);
  });

  it("keeps the API server's own service as that server does", async () => {
    const [expected, overridden] = await Promise.all(
      clients().map((client) =>
        client.json<{ spec: { ports: object[] } }>("GET", `${SERVICES}/kubernetes`),
      ),
    );
    const [port] = expected?.spec.ports ?? [];
    const { targetPort: _own, ...fixed } = { targetPort: 0, ...port };
    expect(overridden).toMatchObject({ spec: { ...expected?.spec, ports: [fixed] } });
  });
});

interface Discovered {
  readonly name: string;
  readonly storageVersionHash?: string;
}

/** Returns the resources that discovery lists, without what the sandbox does not need: proxies and hashes of upstream's storage. */
async function discovered(client: ApiClient, path: string, plurals: readonly string[]) {
  const { resources } = await client.json<{ resources: Discovered[] }>("GET", path);
  return resources
    .filter(({ name }) => plurals.includes(name.split("/")[0] ?? "") && !name.endsWith("/proxy"))
    .map(({ storageVersionHash: _hash, ...resource }) => resource);
}
