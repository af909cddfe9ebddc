import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { openText, type Seal, sealText } from "../text/sealed-text.ts";

/** What authenticator apps assume unless the URI says otherwise (RFC 6238). */
const CODE = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const SIX_DIGITS = /^[0-9]{6}$/;
/** How many time steps the clock of a phone may be off, each way. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const ISSUER = "Cloudwright";

/** What app and dashboard share, as the app takes it when it is typed: base 32. */
export function newSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** What a QR code holds, for an app to read. */
export function authenticatorUri(secret: string, label: string): string {
  return new TOTP({ ...CODE, issuer: ISSUER, label, secret: Secret.fromBase32(secret) }).toString();
}

/** The time step that a code is of; undefined for one that is of none around `now`. */
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

/** Whose secret it is, and the dashboard's own secret that seals it. */
export interface SecretOwner {
  readonly userId: string;
  readonly authSecret: string;
}

export function sealSecret(secret: string, owner: SecretOwner): string {
  return sealText(secret, sealOf(owner));
}

/** Undefined for what another secret of the dashboard sealed, and for what is another user's. */
export function openSecret(sealed: string, owner: SecretOwner): string | undefined {
  return openText(sealed, sealOf(owner));
}

function sealOf({ userId, authSecret }: SecretOwner): Seal {
  return { secret: authSecret, purpose: `authenticator of ${userId}` };
}

const RECOVERY_CODES = 10;
/** 80 bits: whoever reads a hash cannot try all. */
const RECOVERY_BYTES = 10;
const RECOVERY_LENGTH = 16;

/** Ten codes, as they are shown once: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const { base32 } = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer });
    return base32.match(/.{4}/g)?.join("-") ?? base32;
  });
}

/** What is kept of a recovery code. */
export function recoveryCodeHash(code: string): string {
  return createHash("sha256").update(plainCode(code)).digest("hex");
}

/** Whether it has the form of a recovery code, and not that of a code of the app. */
export function isRecoveryCode(code: string): boolean {
  return plainCode(code).length === RECOVERY_LENGTH;
}

/** A code without the spaces and dashes with which it is shown, in capital letters. */
export function plainCode(code: string): string {
  return code.replace(/[\s-]/g, "").toUpperCase();
}
