import {
  createServingCertificate as certificateOf,
  createAuthority as createAuthorityFor,
  type KeyPair,
} from "@cloudwright/core/certificates/certificates";

const TEN_YEARS_DAYS = 3_650;
const FURTHER_HOSTS = [
  ...["kubernetes", "kubernetes.default", "kubernetes.default.svc"],
  ...["127.0.0.1", "::1"],
];

/** A certificate authority of its own, for nobody but this sandbox. */
export function createAuthority(commonName: string): Promise<KeyPair> {
  return createAuthorityFor(commonName, TEN_YEARS_DAYS);
}

/** A serving certificate for loopback, signed by the authority; extra hosts may be names or addresses. */
export function createServingCertificate(
  authority: KeyPair,
  hosts: readonly string[] = [],
): Promise<KeyPair> {
  const further = new Set([...FURTHER_HOSTS, ...hosts]);
  further.delete("localhost");
  return certificateOf(authority, ["localhost", ...further], TEN_YEARS_DAYS);
}
