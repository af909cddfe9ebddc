import { OFFERS, type Offer } from "@cloudwright/core/controllers/controller-module";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Provider } from "@cloudwright/provider-api";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { moduleOf } from "../../modules.ts";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import { UNIDENTIFIED } from "../cluster/cluster-identity.ts";
import type { ProcessContext } from "../process-context.ts";

/** What decides whether a controller can run here. */
export interface RunnableContext {
  readonly processContext: Pick<ProcessContext, "flags">;
  readonly cloud: Pick<CloudAccess, "provider">;
  /** Absent until it has been read. */
  readonly clusterUid?: string;
  /** False for a provider that cannot begin without the cluster's identity; absent until it has begun. */
  readonly isProviderReady?: boolean;
}

/** Returns the selected controllers that this provider supports. */
export function runnable(
  selected: readonly ControllerName[],
  context: RunnableContext,
): readonly ControllerName[] {
  return selected.filter((name) => obstacleTo(context, name) === undefined);
}

/** Returns why a controller cannot run here; undefined if it can. */
export function obstacleTo(
  { processContext, cloud, clusterUid, isProviderReady = true }: RunnableContext,
  name: ControllerName,
): string | undefined {
  const lack = lackOf(cloud.provider, name);
  if (lack !== undefined) return `no ${lack} are offered`;
  const flag = flagAgainst(processContext.flags, name);
  if (flag !== undefined) return `${flag} is false`;
  const { ownsByCluster = false, ofProvider } = moduleOf(name).needs;
  const needsIdentity = ownsByCluster || (!isProviderReady && ofProvider !== undefined);
  return clusterUid === UNIDENTIFIED && needsIdentity
    ? "the cluster's identity is unknown"
    : undefined;
}

/** Returns the flag that keeps the controller from running, whether it is selected or not, as on a command line: `--NAME`. */
export function flagAgainst(flags: FlagValues, name: ControllerName): string | undefined {
  const { flag } = moduleOf(name).needs;
  return flag === undefined || flags[flag] === true ? undefined : `--${flag}`;
}

/** Names what the controller needs but this provider does not offer: `load balancers`. */
export function lackOf(provider: Pick<Provider, Offer>, name: ControllerName): string | undefined {
  const { ofProvider } = moduleOf(name).needs;
  return ofProvider === undefined || provider[ofProvider] !== undefined
    ? undefined
    : OFFERS[ofProvider];
}
