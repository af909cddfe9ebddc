import selfsigned from "selfsigned";

/** A certificate and its key, as PEM texts. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate authority for one test. */
export async function authority(commonName: string): Promise<KeyPair> {
  const made = await selfsigned.generate([{ name: "commonName", value: commonName }], {
    ...common(),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

/** Creates a client certificate signed by the authority. */
export async function clientPair(
  signer: KeyPair,
  { commonName, organization }: { readonly commonName: string; readonly organization?: string },
): Promise<KeyPair> {
  const subject = [
    { name: "commonName", value: commonName },
    ...(organization === undefined ? [] : [{ name: "organizationName", value: organization }]),
  ];
  const made = await selfsigned.generate(subject, {
    ...common(),
    ca: { key: signer.key, cert: signer.cert },
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", clientAuth: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

function common() {
  const notBeforeDate = new Date(Date.now() - 3_600_000);
  const notAfterDate = new Date(Date.now() + 86_400_000);
  return {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate,
    notAfterDate,
  } as const;
}
