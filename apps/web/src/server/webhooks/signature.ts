import { createHmac, randomBytes } from "node:crypto";

/** The header that a receiver verifies: `t=1764200000,v1=HEX`, with a second `v1` while a secret is being replaced. */
export const SIGNATURE_HEADER = "Cloudwright-Signature";

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** Returns the HMAC-SHA256 of `TIMESTAMP.BODY` with each of the secrets; the timestamp is in seconds. */
export function signatureOf(
  body: string,
  { secrets, timestamp }: { readonly secrets: readonly string[]; readonly timestamp: number },
): string {
  const signed = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"),
  );
  return [`t=${timestamp}`, ...signed.map((hex) => `v1=${hex}`)].join(",");
}
