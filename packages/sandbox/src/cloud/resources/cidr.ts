import { Address4, Address6 } from "ip-address";
import { z } from "zod";

/** Any network in CIDR notation, even with bits set after its prefix. */
export const cidrSchema = z.union([z.cidrv4(), z.cidrv6()], {
  error: "it must be a network such as 10.0.0.0/24 or fd00::/64",
});

/** A network in the canonical form that this cloud compares; any other spelling is refused with the canonical one. */
export const canonicalCidrSchema = cidrSchema.superRefine((given, context) => {
  const canonical = canonicalCidr(given);
  if (given !== canonical) {
    context.addIssue(`it must be written ${canonical}`);
  }
});

/** Returns the network without bits after the prefix; IPv6 in lower case and shortened as in RFC 5952. */
function canonicalCidr(cidr: string): string {
  const address = cidr.includes(":") ? new Address6(cidr) : new Address4(cidr);
  return `${address.startAddress().correctForm()}/${address.subnetMask}`;
}

/** Returns the canonical spelling of an address, so that equal addresses are equal texts. */
export function canonicalAddress(address: string): string {
  return address.includes(":") ? new Address6(address).correctForm() : address;
}
