import type { ClusterAccess } from "@cloudwright/core/kube/access/kubeconfig";
import { accessAsServiceAccount } from "@cloudwright/core/kube/access/service-account";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { USER_AGENT } from "../../version.ts";
import type { Placement } from "../placement/placement.ts";
import type { ProcessContext } from "../process-context.ts";
import type { ClusterConnection } from "./connect-cluster.ts";
import type { Fence, Fences } from "./fences.ts";

export interface ControllerClientsOptions {
  readonly processContext: ProcessContext;
  readonly access: ClusterAccess;
  readonly cluster: Pick<ClusterConnection, "client" | "election">;
  readonly fences: Fences;
  readonly placement: Pick<Placement, "migrated">;
}

/** Each controller's access to the cluster: its identity, and the Lease that its writes need. */
export interface ControllerClients {
  /** Returns a controller's connection. Throws KubeError if its own identity cannot be read. */
  of(controller: ControllerName): Promise<KubeConnection>;
  /** For reviews of the controller's own rights, also on a standby; undefined if controllers have no identities of their own. */
  readonly asItself: ((controller: ControllerName) => KubeConnection) | undefined;
  close(): Promise<void>;
}

/** The namespace of the controllers' service accounts, as in upstream (spec/00 §14). */
const NAMESPACE = "kube-system";

/**
 * With `--use-service-account-credentials`, each controller has a client with its own service account's tokens and its own rate
 * limit; without it they share the root's, except those under another Lease. A dry run may not create tokens.
 */
export function createControllerClients(options: ControllerClientsOptions): ControllerClients {
  const { processContext, access, cluster, fences, placement } = options;
  const { flags } = processContext;
  const hasIdentities = flags["use-service-account-credentials"] && !flags["dry-run"];
  const identityOf = createIdentities(options);
  const opened: KubeConnection[] = [];
  const open = (as: ClusterAccess, fence?: Fence) => {
    const client = openClient(processContext, as, fence);
    opened.push(client);
    return client;
  };
  return {
    of: async (controller) => {
      if (hasIdentities) {
        const identity = identityOf(controller);
        await identity.credentials();
        return open(identity, fences.of(controller));
      }
      const isMigrated = placement.migrated.includes(controller);
      return isMigrated ? open(access, fences.of(controller)) : cluster.client;
    },
    asItself: hasIdentities ? (controller) => open(identityOf(controller)) : undefined,
    close: async () => {
      await Promise.all(opened.map((client) => client.close()));
    },
  };
}

/** Controllers that share a service account share its token. */
function createIdentities({ processContext, access, cluster }: ControllerClientsOptions) {
  const { clock, log } = processContext;
  const identities = new Map<string, ClusterAccess>();
  return (controller: ControllerName): ClusterAccess => {
    const name = controllerOf(controller).serviceAccount;
    const known = identities.get(name);
    if (known !== undefined) return known;
    const identity = accessAsServiceAccount({
      client: cluster.election,
      access,
      namespace: NAMESPACE,
      name,
      clock,
      onError: (error) =>
        log.warn(
          { serviceAccount: name, error: messageOf(error) },
          "The token could not be renewed; the old one is used until it expires; trying again",
        ),
    });
    identities.set(name, identity);
    return identity;
  };
}

function openClient(
  { flags, clock, metrics }: ProcessContext,
  access: ClusterAccess,
  fence: Fence | undefined,
): KubeConnection {
  return createKubeClient({
    access,
    clock,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
    qps: flags["kube-api-qps"],
    burst: flags["kube-api-burst"],
    ...(fence === undefined ? {} : { fence }),
  });
}
