import {
  type CallContext,
  instanceKey,
  ProviderError,
  type RouteSpec,
} from "@cloudwright/provider-api";
import { PROVIDER } from "./config.ts";
import type { InstanceReads } from "./instance-reads.ts";
import { isOwnId, parseProviderID } from "./provider-id.ts";
import { InstanceIndex, lookupOf } from "./question.ts";

/**
 * The id of the instance that a route is to lead to: told by a provider ID that the cloud made itself, else asked for by the
 * Node's name. Throws ProviderError, `NotFound` when no instance of ours is meant.
 */
export async function instanceIdOf(
  reads: InstanceReads,
  ref: RouteSpec["target"],
  context: CallContext,
): Promise<string> {
  const parsed = ref.providerID === undefined ? undefined : parseProviderID(ref.providerID);
  if (parsed?.kind === "ours" && isOwnId(parsed.id)) return parsed.id;
  const { instances, requestId } = await reads.list({ ids: [], names: [ref.nodeName] }, context);
  const question = { ref, key: instanceKey(ref), name: ref.nodeName };
  const matches = new InstanceIndex(instances).matches(question);
  const lookup = lookupOf(question, matches, requestId);
  if (lookup?.kind === "failed") throw lookup.error;
  const [instance] = matches;
  if (lookup?.kind === "found" && instance !== undefined) return instance.id;
  throw new ProviderError(
    "NotFound",
    `no instance that is ours is ${ref.providerID ?? `named ${ref.nodeName}`}`,
    {
      provider: PROVIDER,
      operation: "GET /v1/instances",
      target: ref.nodeName,
      ...(requestId === undefined ? {} : { requestId }),
    },
  );
}
