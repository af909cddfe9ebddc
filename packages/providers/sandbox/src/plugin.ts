import type { ProviderPlugin } from "@cloudwright/provider-api";
import { createCloudClient } from "./cloud-client.ts";
import { PROVIDER, readConfig } from "./config.ts";
import { createInstances } from "./instances.ts";
import { createLoadBalancers } from "./load-balancers.ts";
import { createRoutes } from "./routes.ts";
import { createVolumes } from "./volumes.ts";

/** The provider of the sandbox cloud (spec/70). */
export const plugin: ProviderPlugin = {
  apiVersion: 1,
  create: (given) => {
    const config = readConfig(given);
    const client = createCloudClient(config, given.userAgent);
    const { instances, loadBalancers, routes, volumes, zones } = config.capabilities;
    return {
      name: PROVIDER,
      hasClusterId: config.clusterId !== undefined,
      ...(instances ? { instances: createInstances(client) } : {}),
      ...(zones ? { zones: true } : {}),
      ...(loadBalancers ? { loadBalancers: createLoadBalancers(client) } : {}),
      ...(routes ? { routes: createRoutes(client) } : {}),
      ...(volumes ? { volumes: createVolumes(client) } : {}),
      close: () => client.close(),
    };
  },
};
