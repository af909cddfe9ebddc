import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** The prefix of every API token, by which scanners for leaked secrets recognise it. */
const API_TOKEN_PREFIX = "cwt_";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 of these letters hold 256 bits. */
const SECRET_LENGTH = 43;
/** Length of the checksum at the end, which reveals a malformed token without a query. */
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^${API_TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

export function newApiToken(): string {
  const letters = Array.from({ length: SECRET_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  const secret = `${API_TOKEN_PREFIX}${letters.join("")}`;
  return `${secret}${checkOf(secret)}`;
}

/** Reports whether a text is well-formed as a token; only the ledger knows whether it exists. */
export function isApiTokenText(text: string): boolean {
  return SHAPE.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** Returns what the table stores of a token. 256 random bits need no slow hash. */
export function apiTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function checkOf(secret: string): string {
  let rest = crc32(secret);
  let text = "";
  for (let at = 0; at < CHECK_LENGTH; at += 1) {
    text = `${LETTERS[rest % LETTERS.length]}${text}`;
    rest = Math.floor(rest / LETTERS.length);
  }
  return text;
}
