import { routeModule } from "@cloudwright/core/controllers/route/module";
import { serviceModule } from "@cloudwright/core/controllers/service/module";
import { type ClusterAccess, loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Provider } from "@cloudwright/provider-api";
import type { ProviderSource } from "@cloudwright/provider-grpc/supervision/provider-source";
import type { FlagValues } from "../flags/definitions/all.ts";
import { selectedControllers } from "../flags/selection.ts";
import { allTogether, PlainError } from "../plain-error.ts";
import { accessCloud, type CloudAccess } from "./cloud/cloud-access.ts";
import { startCloud } from "./cloud/load-cloud.ts";
import { createClusterObjects } from "./cluster/cluster-objects.ts";
import { type ClusterConnection, connectCluster } from "./cluster/connect-cluster.ts";
import type { Fences } from "./cluster/fences.ts";
import { flagAgainst, lackOf } from "./controllers/controller-needs.ts";
import type { ProcessContext } from "./process-context.ts";

/** The connections between which controllers work: cluster and cloud. */
export interface Connections {
  readonly access: ClusterAccess;
  readonly cluster: ClusterConnection;
  /** The provider's process or sidecar; undefined for a provider in this process. */
  readonly source: ProviderSource | undefined;
  /**
   * Returns the cloud once its provider responds, which may be in another process. Throws PlainError for a provider that cannot
   * be used or does not suit the flags, and for one that has not responded when the signal aborts.
   */
  cloud(signal: AbortSignal): Promise<CloudAccess>;
  close(): Promise<void>;
}

/**
 * Loads the provider or starts its process, loads the cluster's access, and checks that the flags suit both. Throws PlainError or
 * KubeConfigError.
 */
export async function connect(
  processContext: ProcessContext,
  fences: Fences,
): Promise<Connections> {
  const { flags, clock } = processContext;
  const objects = createClusterObjects();
  const starting = startCloud(processContext, { objects, fence: { current: fences.held } });
  const [started, access] = await orClosed(
    allTogether([
      starting,
      loadKubeConfig({ kubeconfig: flags.kubeconfig, master: flags.master, clock }),
    ]),
    async () => (await starting).source?.close(),
  );
  const { source, loaded } = started;
  if (loaded !== undefined) checkProvider(flags, loaded);
  const cluster = connectCluster(processContext, access, fences);
  let provider = loaded;
  return {
    ...{ access, cluster, source },
    cloud: async (signal) => {
      provider = await started.provider(signal);
      checkProvider(flags, provider);
      const cloud = accessCloud(processContext, provider, fences);
      return source === undefined ? cloud : { ...cloud, objects };
    },
    close: async () => {
      await Promise.all([cluster.close(), provider?.close?.() ?? source?.close()]);
    },
  };
}

/** Does the work; if it fails, closes what was opened alongside, above all a provider's process. Throws the work's error. */
export async function orClosed<Result>(
  opening: Promise<Result>,
  close: () => Promise<unknown>,
): Promise<Result> {
  try {
    return await opening;
  } catch (error) {
    // Closing may be what failed.
    await close().catch(() => undefined);
    throw error;
  }
}

function checkProvider(flags: FlagValues, provider: Provider): void {
  checkRoutes(flags, provider);
  checkAdoption(flags, provider);
}

const ROUTES = routeModule.name;

/**
 * `--adopt=report` promises not to touch anything that upstream's manager made. A provider without marks of ownership cannot tell
 * that from our own resources, so the promise cannot be kept. Throws PlainError in this case.
 */
export function checkAdoption(
  flags: FlagValues,
  { name, loadBalancers, routes }: Pick<Provider, "name" | "loadBalancers" | "routes">,
): void {
  if (flags.adopt !== "report") return;
  const isRun = (controller: ControllerName) =>
    selectedControllers(flags).includes(controller) && flagAgainst(flags, controller) === undefined;
  const what = [
    ...(loadBalancers?.abilities.storesOwner === false && isRun(serviceModule.name)
      ? ["load balancers"]
      : []),
    ...(routes?.abilities.storesOwner === false && isRun(ROUTES) ? ["routes"] : []),
  ];
  if (what.length === 0) return;
  throw new PlainError(
    `--adopt=report cannot be kept with the provider ${name}: its ${what.join(" and ")} do not record their owner, so what an earlier manager made cannot be distinguished from what Cloudwright made. Use --dry-run to see what would be changed, or leave --adopt=published.`,
  );
}

/** Upstream's exit code for a controller that cannot start (spec/00 §16). */
const CANNOT_START = 255;

/**
 * Routes need the pods' range, since only routes inside it may be deleted (spec/40 §1). Throws PlainError, unless routes are off
 * or the provider has none. Mistakes in a given range have been reported before.
 */
export function checkRoutes(flags: FlagValues, provider: Pick<Provider, "routes">): void {
  const isSelected = selectedControllers(flags).includes(ROUTES);
  if (!isSelected || flagAgainst(flags, ROUTES) !== undefined) return;
  if (lackOf(provider, ROUTES) !== undefined) return;
  if (flags["cluster-cidr"].length === 0) throw new PlainError(MISSING, { exitCode: CANNOT_START });
}

const MISSING =
  "--cluster-cidr is not set: the route controller needs the range of the pods, for example --cluster-cidr=10.244.0.0/16; or turn it off with --configure-cloud-routes=false.";
