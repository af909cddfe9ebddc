import { generate } from "selfsigned";

/** PEM texts. */
export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

const YEARS_10_MS = 10 * 365 * 24 * 3_600 * 1_000;
/** A clock that is slightly slow still accepts a new certificate. */
const BACKDATED_MS = 3_600_000;

/** Creates a certificate authority used only by this sandbox. */
export async function createAuthority(commonName: string): Promise<KeyPair> {
  const made = await generate([{ name: "commonName", value: commonName }], {
    ...common(),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      {
        name: "keyUsage",
        keyCertSign: true,
        cRLSign: true,
        digitalSignature: true,
        critical: true,
      },
    ],
  });
  return { key: made.private, certificate: made.cert };
}

/** Creates a serving certificate for loopback, signed by the authority; extra hosts may be names or addresses. */
export async function createServingCertificate(
  authority: KeyPair,
  hosts: readonly string[] = [],
): Promise<KeyPair> {
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const addresses = ["127.0.0.1", "::1"];
  for (const host of hosts) {
    const known = isAddress(host) ? addresses : names;
    if (!known.includes(host)) known.push(host);
  }
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    ...common(),
    ca: { key: authority.key, cert: authority.certificate },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key: made.private, certificate: made.cert };
}

function common() {
  const now = Date.now();
  return {
    keyType: "ec" as const,
    curve: "P-256" as const,
    algorithm: "sha256",
    notBeforeDate: new Date(now - BACKDATED_MS),
    notAfterDate: new Date(now + YEARS_10_MS),
  };
}

function isAddress(host: string): boolean {
  return /^[\d.]+$/.test(host) || host.includes(":");
}
