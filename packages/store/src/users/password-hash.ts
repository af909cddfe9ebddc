import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { storableText } from "../text/storable-text.ts";

const PASSWORD_LEAST = 12;
/** The rules for a new password. */
export const newPasswordSchema = storableText(200).min(PASSWORD_LEAST, {
  error: `A password has at least ${PASSWORD_LEAST} characters.`,
});

const COST = { cost: 32_768, blockSize: 8, parallelization: 3 };
const KEY_BYTES = 32;

const storedSchema = z
  .string()
  .regex(/^scrypt\$\d{1,7}\$\d{1,3}\$\d{1,3}\$[\w-]+\$[\w-]+$/)
  .transform((text) => {
    const [, cost, blockSize, parallelization, salt = "", key = ""] = text.split("$");
    return {
      salt: Buffer.from(salt, "base64url"),
      key: Buffer.from(key, "base64url"),
      options: {
        cost: Number(cost),
        blockSize: Number(blockSize),
        parallelization: Number(parallelization),
      },
    };
  });

/** Returns what is stored of a password: scrypt with its own salt, and the costs, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive({ password, salt, options: COST });
  const { cost, blockSize, parallelization } = COST;
  const parts = [cost, blockSize, parallelization, salt.toString("base64url")];
  return `scrypt$${parts.join("$")}$${key.toString("base64url")}`;
}

/**
 * Reports whether the password is right. Without a stored one it does the same work and returns false, so that the time does not reveal
 * which accounts exist.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const known = stored === undefined ? NO_USER : storedSchema.parse(stored);
  const key = await derive({ password, salt: known.salt, options: known.options });
  return key.length === known.key.length && timingSafeEqual(key, known.key) && known !== NO_USER;
}

const NO_USER = { salt: Buffer.alloc(16), key: Buffer.alloc(KEY_BYTES), options: COST };

interface Derivation {
  readonly password: string;
  readonly salt: Buffer;
  readonly options: typeof COST;
}

function derive({ password, salt, options }: Derivation): Promise<Buffer> {
  const limits: ScryptOptions = {
    ...options,
    maxmem: 256 * options.cost * options.blockSize,
  };
  return new Promise((resolve, reject) => {
    // The same characters may be other code points on another system.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, limits, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
