import { isIP } from "node:net";
import type { generate } from "selfsigned";

type SelfsignedOptions = NonNullable<Parameters<typeof generate>[1]>;

/** A certificate and its key, as PEM texts. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** Lets a clock that is slightly behind accept a certificate made just now. */
const BACKDATED_MS = 3_600_000;
const SELF_SIGNED_DAYS = 365;

/** Creates a self-signed certificate, valid for a year from the given time; hosts are names or addresses. */
export function selfSignedFor(
  hosts: readonly [string, ...string[]],
  at: number = Date.now(),
): Promise<KeyPair> {
  return make(hosts[0], { days: SELF_SIGNED_DAYS, extensions: servingExtensions(hosts), at });
}

/** Creates a certificate authority. */
export function createAuthority(commonName: string, days: number): Promise<KeyPair> {
  return make(commonName, {
    days,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

/** Creates a serving certificate signed by the authority; hosts are names or addresses. */
export function createServingCertificate(
  authority: KeyPair,
  hosts: readonly [string, ...string[]],
  days: number,
): Promise<KeyPair> {
  return make(hosts[0], {
    days,
    extensions: servingExtensions(hosts),
    ca: { key: authority.key, cert: authority.certificate },
  });
}

interface Options extends Pick<SelfsignedOptions, "extensions" | "ca"> {
  readonly days: number;
  /** The time of creation; now by default. */
  readonly at?: number;
}

async function make(
  commonName: string,
  { days, at = Date.now(), ...options }: Options,
): Promise<KeyPair> {
  // Loaded only when needed: a user who provides a certificate pair need not hold this in memory. A bundled CommonJS package has
  // its names only under `default`.
  const { default: selfsigned } = await import("selfsigned");
  const notBeforeDate = new Date(at - BACKDATED_MS);
  const made = await selfsigned.generate([{ name: "commonName", value: commonName }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + days * DAY_MS),
    ...options,
  });
  return { certificate: made.cert, key: made.private };
}

function servingExtensions(hosts: readonly string[]): NonNullable<SelfsignedOptions["extensions"]> {
  return [
    { name: "basicConstraints", cA: false },
    { name: "keyUsage", digitalSignature: true },
    { name: "extKeyUsage", serverAuth: true },
    {
      name: "subjectAltName",
      altNames: hosts.map((host) =>
        isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host },
      ),
    },
  ];
}
