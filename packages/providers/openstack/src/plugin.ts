import type { ProviderPlugin } from "@cloudwright/provider-api";
import { createClient } from "./api/client.ts";
import { checkConfig } from "./check-config.ts";
import { watchConfig } from "./config/config.ts";
import { PROVIDER } from "./config/invalid-config.ts";
import { createInstances } from "./instances/instances.ts";
import { createLoadBalancers } from "./load-balancers/load-balancers.ts";
import { createQuotas } from "./quotas/quotas.ts";
import { createRoutes } from "./routes/routes.ts";
import { createVolumes } from "./volumes/volumes.ts";

/** The provider of OpenStack clouds (spec/providers/openstack). */
export const plugin: ProviderPlugin = {
  apiVersion: 1,
  create: async ({ text, path, userAgent, warn = () => {} }) => {
    const monotonic = () => performance.now();
    const config = await watchConfig({ text, path, environment: process.env, warn }, monotonic);
    const client = createClient({ config, userAgent, monotonic, warn });
    const instances = createInstances({ client, config: config.atStart, now: Date.now, warn });
    const { routerId } = config.atStart.route;
    const routes = { client, config: config.atStart, instances };
    return {
      name: PROVIDER,
      hasClusterId: true,
      instances,
      zones: true,
      answerTimeoutMs: config.atStart.metadata.requestTimeout,
      ...(config.atStart.loadBalancer.enabled
        ? { loadBalancers: createLoadBalancers({ client, config: config.atStart }) }
        : {}),
      upstreamMetrics: {
        requests: "openstack_api",
        reconciles: "cloudprovider_openstack_reconcile",
      },
      ...(routerId === undefined ? {} : { routes: createRoutes(routes, routerId) }),
      quotas: createQuotas({ client, config: config.atStart }),
      volumes: createVolumes({ client, config: config.atStart, now: Date.now }),
      checkConfig: (context) => checkConfig({ client, config: config.atStart }, context),
      close: () => client.close(),
    };
  },
};
