import { selectedControllers } from "../flags/controller-selection.ts";
import { identitiesOf } from "../permissions/identities.ts";
import { type PermissionCheck, startPermissionCheck } from "../permissions/permission-check.ts";
import type { CloudAccess } from "./cloud-access.ts";
import type { ClusterConnection } from "./connect-cluster.ts";
import type { Foundation } from "./foundation.ts";
import { leaseName } from "./lead.ts";
import { runnable } from "./leading.ts";
import type { Serving } from "./serve.ts";

export interface PermissionParts {
  readonly foundation: Foundation;
  readonly cloud: Pick<CloudAccess, "provider">;
  readonly cluster: Pick<ClusterConnection, "election">;
  /** Undefined without a listener. */
  readonly serving: Serving | undefined;
}

/** Begins to look whether what this process runs is granted to whom it runs as. */
export function checkPermissions(parts: PermissionParts): PermissionCheck {
  const { foundation, cluster, serving } = parts;
  const { flags, clock, log } = foundation;
  return startPermissionCheck({
    clock,
    log,
    identities: identitiesOf({
      flags,
      controllers: runnable(selectedControllers(flags), parts),
      own: undefined,
      lease: leaseName(foundation),
      process: cluster.election,
      authentication: serving?.reviewers.authentication,
      authorization: serving?.reviewers.authorization,
    }),
  });
}
