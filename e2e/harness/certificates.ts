import selfsigned from "selfsigned";

/** PEM texts. */
export interface CallerPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of its own. */
export function authority(commonName: string): Promise<CallerPair> {
  return make(commonName, {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
}

/** A client's certificate that the authority signed. */
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

/** The certificate of a server at this address, which the authority signed. */
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
