import type { Service } from "../../kube/client.ts";
import { parseAddress } from "../../model/cidr.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { IpFamily } from "../../provider/load-balancers.ts";

export type RequestedAddress =
  | { readonly kind: "none" }
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "invalid"; readonly reason: ReasonOf<"ServiceInvalid"> };

/** The address that a Service asks for, in the one spelling; one that is none, or of another family, cannot be given. */
export function requestedAddressOf(
  { spec }: Service,
  families: readonly IpFamily[],
): RequestedAddress {
  const value = spec?.loadBalancerIP ?? "";
  if (value === "") return { kind: "none" };
  const parsed = parseAddress(value);
  if (parsed === undefined) return invalid(value, "it is no IP address");
  const { family, text: address } = parsed;
  if (families.includes(family)) return { kind: "address", address };
  return invalid(value, `it is ${family}, and the Service has ${families.join(", ")}`);
}

function invalid(value: string, problem: string): RequestedAddress {
  const reason = { code: "ServiceInvalid", field: "loadBalancerIP", value, problem } as const;
  return { kind: "invalid", reason };
}
