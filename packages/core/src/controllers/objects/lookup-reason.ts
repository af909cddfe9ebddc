import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Reason } from "../../model/reason.ts";

export type LookupWithoutFacts = Exclude<Lookup, { readonly kind: "found" }>;

/** Returns why a lookup gave no facts about the instance. */
export function reasonOfLookup(
  lookup: LookupWithoutFacts,
  ref: InstanceRef,
  provider: string,
): Reason {
  switch (lookup.kind) {
    case "absent":
      return notFound(ref, provider, lookup.proof.requestId);
    case "notListed":
      return notFound(ref, provider, lookup.requestId);
    case "unclaimed":
      return { code: "InstanceUnclaimed", provider };
    case "foreign":
      return { code: "ForeignNode", providerID: ref.providerID ?? "", provider };
    case "malformed":
      return {
        code: "ProviderIDMalformed",
        providerID: ref.providerID ?? "",
        expected: lookup.expected,
      };
    case "failed":
      return reasonOfProviderError(lookup.error);
  }
}

function notFound(ref: InstanceRef, provider: string, requestId: string | undefined): Reason {
  const by = ref.providerID === undefined ? "name" : "providerID";
  return {
    code: "InstanceNotFound",
    provider,
    by,
    value: ref.providerID ?? ref.nodeName,
    requestId,
  };
}
