import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** What every API token begins with, so that scanners for leaked secrets recognise one. */
const API_TOKEN_PREFIX = "cwt_";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 of these letters hold 256 bits. */
const SECRET_LENGTH = 43;
/** Of the checksum at the end, which shows what is no token of ours without asking the database. */
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^${API_TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

export function newApiToken(): string {
  const letters = Array.from({ length: SECRET_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
  const secret = `${API_TOKEN_PREFIX}${letters.join("")}`;
  return `${secret}${checkOf(secret)}`;
}

/** Whether a text can be a token of ours at all; whether there is such a token is the ledger's to say. */
export function isApiTokenText(text: string): boolean {
  return SHAPE.test(text) && checkOf(text.slice(0, -CHECK_LENGTH)) === text.slice(-CHECK_LENGTH);
}

/** What the table keeps of a token. 256 random bits need no slow hash. */
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
