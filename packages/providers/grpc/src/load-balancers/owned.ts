import {
  type CallContext,
  isProviderError,
  type OwnedLoadBalancer,
} from "@cloudwright/provider-api";
import { checkBounds } from "../answer-bounds.ts";
import type { Bridge } from "../bridge.ts";
import { Provider } from "../generated/cloudwright/provider/v1/provider_pb.js";
import { ownedOf } from "./answers.ts";

/** Lists all load balancers with the cluster's mark; none if the cloud keeps no marks. Throws ProviderError. */
export async function listOwned(
  bridge: Bridge,
  clusterUid: string,
  context: CallContext,
): Promise<readonly OwnedLoadBalancer[]> {
  try {
    const { loadBalancers } = await bridge.read(context, {
      method: Provider.method.listOwnedLoadBalancers,
      target: clusterUid,
      request: () => ({ clusterUid }),
      calls: ({ calls }) => calls,
    });
    const call = { provider: bridge.provider, operation: "ListOwnedLoadBalancers" };
    checkBounds(call, loadBalancers);
    return loadBalancers.map(ownedOf);
  } catch (error) {
    if (isProviderError(error) && error.code === "Unsupported") return [];
    throw error;
  }
}
