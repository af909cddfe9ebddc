import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/*
 * URLs and secrets of webhooks, as the database keeps them: encrypted by a key that is made of the dashboard's secret. Who reads
 * the database alone can neither send in the dashboard's name nor to where it sends.
 */

const ALGORITHM = "aes-256-gcm";
const VERSION = "1";

/** What was sealed by another secret, or is no sealed text. */
export class SealBrokenError extends Error {
  constructor(options?: ErrorOptions) {
    super(
      "It was encrypted with another CLOUDWRIGHT_AUTH_SECRET: enter the URL and make a new secret.",
      options,
    );
    this.name = "SealBrokenError";
  }
}

export function seal(plain: string, authSecret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, keyOf(authSecret), nonce);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return [VERSION, ...[nonce, cipher.getAuthTag(), sealed].map(text)].join(".");
}

/** Throws SealBrokenError. */
export function unseal(sealed: string, authSecret: string): string {
  const [version, ...parts] = sealed.split(".");
  const [nonce, tag, content] = parts.map((part) => Buffer.from(part, "base64url"));
  if (version !== VERSION || nonce === undefined || tag === undefined || content === undefined) {
    throw new SealBrokenError();
  }
  try {
    const decipher = createDecipheriv(ALGORITHM, keyOf(authSecret), nonce, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SealBrokenError({ cause });
  }
}

function text(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/** Another key than sessions are signed with, of the same secret. */
function keyOf(authSecret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", authSecret, "", "cloudwright webhooks", 32));
}
