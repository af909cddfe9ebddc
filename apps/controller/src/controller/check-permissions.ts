import type { Placement } from "../migration/placement.ts";
import { identitiesOf } from "../permissions/identities.ts";
import { type PermissionCheck, startPermissionCheck } from "../permissions/permission-check.ts";
import type { CloudAccess } from "./cloud-access.ts";
import type { ClusterConnection } from "./connect-cluster.ts";
import type { ControllerClients } from "./controller-clients.ts";
import type { Foundation } from "./foundation.ts";
import { leaseName } from "./lead.ts";
import type { Serving } from "./serve.ts";
import { runnable } from "./starters.ts";

export interface PermissionParts {
  readonly foundation: Foundation;
  readonly cloud: Pick<CloudAccess, "provider">;
  readonly cluster: Pick<ClusterConnection, "election">;
  readonly clients: Pick<ControllerClients, "asItself">;
  readonly placement: Placement;
  /** Undefined without a listener. */
  readonly serving: Serving | undefined;
}

/** Begins to look whether what this process runs is granted to whom it runs as. */
export function checkPermissions(parts: PermissionParts): PermissionCheck {
  const { foundation, cluster, clients, placement, serving } = parts;
  const { main, migrated, migrationLease } = placement;
  const { flags, clock, log } = foundation;
  return startPermissionCheck({
    clock,
    log,
    identities: identitiesOf({
      flags,
      controllers: runnable([...main, ...migrated], parts),
      own: clients.asItself,
      leases: [leaseName(foundation), ...(migrationLease === undefined ? [] : [migrationLease])],
      process: cluster.election,
      authentication: serving?.reviewers.authentication,
      authorization: serving?.reviewers.authorization,
    }),
  });
}
