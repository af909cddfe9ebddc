import { Address4, Address6 } from "ip-address";
import { z } from "zod";

/** Any network in CIDR notation, also one with bits set behind its prefix. */
export const cidrSchema = z.union([z.cidrv4(), z.cidrv6()], {
  error: "it must be a network such as 10.0.0.0/24 or fd00::/64",
});

/** A network in the one form that this cloud compares; another way of writing it is refused by naming that form. */
export const canonicalCidrSchema = cidrSchema.superRefine((given, context) => {
  const canonical = canonicalCidr(given);
  if (given !== canonical) {
    context.addIssue(`it must be written ${canonical}`);
  }
});

/** No bits behind the prefix; IPv6 lower-case and shortened as RFC 5952 has it. */
function canonicalCidr(cidr: string): string {
  const address = cidr.includes(":") ? new Address6(cidr) : new Address4(cidr);
  return `${address.startAddress().correctForm()}/${address.subnetMask}`;
}

/** One spelling for each address, so that equal ones are equal texts. */
export function canonicalAddress(address: string): string {
  return address.includes(":") ? new Address6(address).correctForm() : address;
}
