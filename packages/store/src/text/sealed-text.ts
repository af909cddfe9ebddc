import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Seal {
  /** At least 32 random characters. */
  readonly secret: string;
  /** The purpose: a text sealed for one purpose cannot be opened for another. */
  readonly purpose: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text and protects it against changes, for a cookie or a row. */
export function sealText(text: string, seal: Seal): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(seal), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Returns undefined for a text that was not sealed with this secret for this purpose. */
export function openText(sealed: string, seal: Seal): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const start = NONCE_BYTES + TAG_BYTES;
  if (bytes.length < start) return undefined;
  const decipher = createDecipheriv(CIPHER, keyOf(seal), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, start));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function keyOf({ secret, purpose }: Seal): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `cloudwright ${purpose}`, 32));
}
