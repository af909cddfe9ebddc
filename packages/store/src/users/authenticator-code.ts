import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { openText, type Seal, sealText } from "../text/sealed-text.ts";

/** The defaults of authenticator apps when the URI does not say otherwise (RFC 6238). */
const CODE = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const SIX_DIGITS = /^[0-9]{6}$/;
/** By how many time steps a phone's clock may be off, in either direction. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const ISSUER = "Cloudwright";

/** Returns a secret for app and dashboard to share, in base 32 as it is typed into the app. */
export function newSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** Returns the content of a QR code for an app to read. */
export function authenticatorUri(secret: string, label: string): string {
  return new TOTP({ ...CODE, issuer: ISSUER, label, secret: Secret.fromBase32(secret) }).toString();
}

/** Returns the time step of a code; undefined when it matches no step around `now`. */
export function stepOfCode(
  code: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): number | undefined {
  // Characters of more than one byte make the library throw.
  if (!SIX_DIGITS.test(code)) return undefined;
  const totp = new TOTP({ ...CODE, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

/** The user of a secret, and the dashboard's own secret that seals it. */
export interface SecretOwner {
  readonly userId: string;
  readonly authSecret: string;
}

export function sealSecret(secret: string, owner: SecretOwner): string {
  return sealText(secret, sealOf(owner));
}

/** Returns undefined for a secret that was sealed with another dashboard secret or belongs to another user. */
export function openSecret(sealed: string, owner: SecretOwner): string | undefined {
  return openText(sealed, sealOf(owner));
}

function sealOf({ userId, authSecret }: SecretOwner): Seal {
  return { secret: authSecret, purpose: `authenticator of ${userId}` };
}

const RECOVERY_CODES = 10;
/** 80 bits, so that a recovery code cannot be found from its hash by trying all. */
const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = 16;

/** Returns ten codes, as they are shown once: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
    return base32.match(/.{4}/g)?.join("-") ?? base32;
  });
}

/** Returns what is stored of a recovery code. */
export function recoveryCodeHash(code: string): string {
  return createHash("sha256").update(plainCode(code)).digest("hex");
}

/** Reports whether the code has the form of a recovery code, and not that of an app's code. */
export function isRecoveryCode(code: string): boolean {
  return plainCode(code).length === RECOVERY_LENGTH;
}

/** Returns a code in capital letters, without the spaces and dashes with which it is shown. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
