import selfsigned from "selfsigned";

/** A certificate and its key, as PEM texts. */
export interface CallerPair {
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate authority. */
export function authority(commonName: string): Promise<CallerPair> {
  return make(commonName, {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
}

/** Creates a client certificate signed by the authority. */
export function clientPair(signer: CallerPair, commonName: string): Promise<CallerPair> {
  return make(commonName, {
    ca: { key: signer.key, cert: signer.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", clientAuth: true },
    ],
  });
}

/** Creates a certificate, signed by the authority, for a server at this address. */
export function serverPair(signer: CallerPair, ip: string): Promise<CallerPair> {
  return make(ip, {
    ca: { key: signer.key, cert: signer.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip }] },
    ],
  });
}

type Options = Pick<NonNullable<Parameters<typeof selfsigned.generate>[1]>, "ca" | "extensions">;

async function make(commonName: string, options: Options): Promise<CallerPair> {
  const now = Date.now();
  const made = await selfsigned.generate([{ name: "commonName", value: commonName }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(now - 3_600_000),
    notAfterDate: new Date(now + 86_400_000),
    ...options,
  });
  return { cert: made.cert, key: made.private };
}
