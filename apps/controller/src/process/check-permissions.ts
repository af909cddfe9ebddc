import { identitiesOf } from "../permissions/identities.ts";
import { type PermissionCheck, startPermissionCheck } from "../permissions/permission-check.ts";
import type { CloudAccess } from "../wiring/cloud/cloud-access.ts";
import type { ClusterConnection } from "../wiring/cluster/connect-cluster.ts";
import type { ControllerClients } from "../wiring/cluster/controller-clients.ts";
import { runnable } from "../wiring/controllers/controller-needs.ts";
import type { Placement } from "../wiring/placement/placement.ts";
import type { ProcessContext } from "../wiring/process-context.ts";
import { leaseName } from "./leading/lead.ts";
import type { Serving } from "./serving/serve.ts";

export interface PermissionParts {
  readonly processContext: ProcessContext;
  readonly cloud: Pick<CloudAccess, "provider">;
  readonly cluster: Pick<ClusterConnection, "election">;
  readonly clients: Pick<ControllerClients, "asItself">;
  readonly placement: Placement;
  /** Undefined without a listener. */
  readonly serving: Serving | undefined;
}

/** Starts checking whether the identities of this process have the rights for what it runs. */
export function checkPermissions(parts: PermissionParts): PermissionCheck {
  const { processContext, cluster, clients, placement, serving } = parts;
  const { main, migrated, migrationLease } = placement;
  const { flags, clock, log } = processContext;
  return startPermissionCheck({
    clock,
    log,
    identities: identitiesOf({
      flags,
      controllers: runnable([...main, ...migrated], parts),
      own: clients.asItself,
      leases: [
        leaseName(processContext),
        ...(migrationLease === undefined ? [] : [migrationLease]),
      ],
      process: cluster.election,
      authentication: serving?.reviewers.authentication,
      authorization: serving?.reviewers.authorization,
    }),
  });
}
