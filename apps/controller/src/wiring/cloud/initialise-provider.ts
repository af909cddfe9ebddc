import { errorFields } from "../../plain-error.ts";
import { isIdentified } from "../cluster/cluster-identity.ts";
import type { ControllerParts } from "../controllers/started-controller.ts";

/**
 * Lets the provider begin, also while the cluster's identity is unknown, as nodes are served without it. False for one that
 * cannot begin then: it is called again once the identity is known. Throws what a provider throws that has it.
 */
export async function initialise(
  { foundation, cloud, clusterUid }: Pick<ControllerParts, "foundation" | "cloud" | "clusterUid">,
  signal: AbortSignal,
): Promise<boolean> {
  const { provider } = cloud;
  if (isIdentified(clusterUid)) {
    await provider.initialize?.({ clusterUid, signal });
    return true;
  }
  try {
    await provider.initialize?.({ clusterUid: undefined, signal });
    return true;
  } catch (error) {
    foundation.log.warn(
      { provider: provider.name, ...errorFields(error) },
      "The provider could not start while the cluster's identity is unknown, so nothing is done in the cloud. Grant get of the namespace kube-system",
    );
    return false;
  }
}
