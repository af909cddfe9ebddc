import type { NotTaken } from "../../../model/plan.ts";
import type { Reason } from "../../../model/reason.ts";
import type { WantedAddresses } from "./addresses.ts";

/** Returns which of the cloud's addresses a node does not get, and why. */
export function addressesNotTaken(
  addresses: WantedAddresses,
  provider: string,
): readonly NotTaken[] {
  const reason = reasonOf(addresses, provider);
  return reason === undefined ? [] : [{ step: "addresses", reason }];
}

function reasonOf(addresses: WantedAddresses, provider: string): Reason | undefined {
  switch (addresses.kind) {
    case "missing":
      return { code: "AddressesMissing", provider };
    case "refused":
      return addresses.reason;
    case "addresses":
      return addresses.repeated && { code: "AddressDuplicate", ...addresses.repeated };
  }
}
