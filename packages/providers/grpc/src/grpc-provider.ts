import { type Provider, ProviderError } from "@cloudwright/provider-api";
import { Bridge } from "./bridge.ts";
import type { LeaseFence } from "./connection.ts";
import {
  type Capabilities,
  type LoadBalancerAbilities,
  LoadBalancerStyle,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { createInstances } from "./instances.ts";
import { createDeclaredLoadBalancers } from "./load-balancers/declarative.ts";
import { createEnsuredLoadBalancers } from "./load-balancers/ensure-style.ts";
import { createRoutes } from "./routes.ts";
import { Session, type SessionOptions } from "./session.ts";
import { createVolumes } from "./volumes.ts";

export interface GrpcProviderOptions extends SessionOptions {
  readonly fence: LeaseFence;
  /** Ends the wait for the first process. */
  readonly signal: AbortSignal;
}

const DEFAULT_ANSWER_TIMEOUT_MS = 10_000;

/**
 * Creates the provider that another process serves. Waits until a process is connected and has announced its capabilities; after
 * that, calls are `Unavailable` while there is none, and a restarted process receives everything that it needs before the next
 * call.
 */
export async function createGrpcProvider(options: GrpcProviderOptions): Promise<Provider> {
  const { objects, fence, signal, config } = options;
  const session = new Session(options);
  const { connection, capabilities } = await session.introduce(signal);
  const { providerName: provider } = connection.info;
  const timeoutMs = capabilities.answerTimeoutMs || DEFAULT_ANSWER_TIMEOUT_MS;
  const { reportsCalls } = capabilities;
  const bridge = new Bridge({ provider, session, objects, fence, timeoutMs, reportsCalls });
  return {
    name: provider,
    hasClusterId: capabilities.hasClusterId,
    answerTimeoutMs: timeoutMs,
    ...(capabilities.zones ? { zones: true } : {}),
    ...capable(bridge, capabilities, config.clusterName),
    initialize: ({ clusterUid, signal }) => session.lead(clusterUid, signal),
    close: async () => session.close(),
  };
}

/** Leaves out capabilities that the process does not announce. */
function capable(
  bridge: Bridge,
  { instances, loadBalancers, routes, volumes }: Capabilities,
  clusterName: string,
): Pick<Provider, "instances" | "loadBalancers" | "routes" | "volumes"> {
  return {
    ...(instances === undefined ? {} : { instances: createInstances(bridge, instances) }),
    ...(loadBalancers === undefined
      ? {}
      : { loadBalancers: createLoadBalancers(bridge, loadBalancers) }),
    ...(routes === undefined
      ? {}
      : { routes: createRoutes(bridge, { abilities: routes, clusterName }) }),
    ...(volumes === undefined ? {} : { volumes: createVolumes(bridge, volumes) }),
  };
}

function createLoadBalancers(
  bridge: Bridge,
  abilities: LoadBalancerAbilities,
): NonNullable<Provider["loadBalancers"]> {
  switch (abilities.style) {
    case LoadBalancerStyle.DECLARATIVE:
      return createDeclaredLoadBalancers(bridge, abilities);
    case LoadBalancerStyle.ENSURE:
      return createEnsuredLoadBalancers(bridge, abilities);
    default:
      throw new ProviderError(
        "Unsupported",
        `The provider process ${bridge.provider} serves load balancers in a style that this release does not know: install a version of it that supports this release.`,
        { provider: bridge.provider, operation: "Initialize" },
      );
  }
}
