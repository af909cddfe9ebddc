import type { CloudBudget } from "@cloudwright/core/cloud/calls/budget";
import type { Election } from "@cloudwright/core/kube/lease/election";
import type { ProviderSource } from "@cloudwright/provider-grpc/supervision/provider-source";
import type { ServedTls } from "../http/follow-tls.ts";
import type { PermissionCheck } from "../permissions/permission-check.ts";
import type { ClusterInformers } from "../wiring/cluster/cluster-informers.ts";
import type { Leading } from "./leading/leading.ts";
import type { EventRecording } from "./leading/record-events.ts";
import type { Ledger } from "./ledger/ledger.ts";

/** The state of this process, which its health checks, metrics and heartbeats read. Each part is set once it exists. */
export interface ProcessState {
  informers: ClusterInformers | undefined;
  election: Election | undefined;
  /** For the second Lease; started once the first is held. */
  migration: Election | undefined;
  leading: Leading | undefined;
  ledger: Ledger | undefined;
  /** Set while leading, if Events of other components are recorded. */
  eventRecording: EventRecording | undefined;
  /** The provider's process or sidecar; undefined for a provider in this process. */
  providerSource: Pick<ProviderSource, "status"> | undefined;
  cloudBudget: Pick<CloudBudget, "snapshot"> | undefined;
  /** The UID of the cluster, or UNIDENTIFIED; undefined until the API server has answered. */
  clusterUid: string | undefined;
  permissions: PermissionCheck | undefined;
  /** One for each server that listens. */
  readonly certificates: ServedTls[];
}

export function emptyState(): ProcessState {
  return {
    informers: undefined,
    election: undefined,
    migration: undefined,
    leading: undefined,
    ledger: undefined,
    eventRecording: undefined,
    providerSource: undefined,
    cloudBudget: undefined,
    clusterUid: undefined,
    permissions: undefined,
    certificates: [],
  };
}
