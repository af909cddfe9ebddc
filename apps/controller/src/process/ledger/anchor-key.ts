import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { PlainError } from "../../plain-error.ts";

/**
 * Returns the private key that signs anchors. If there is none, creates it, with the public key next to it as FILE.pub. Throws
 * PlainError if others may read the file or if it is not an Ed25519 key.
 */
export function signingKey(file: string): KeyObject {
  const text = readOrMake(file);
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new PlainError(
      `--audit-anchor-key ${file} can be read by others: run chmod 600 ${file}, or name another file for a new key.`,
    );
  }
  return keyOf(text, { file, flag: "--audit-anchor-key", make: createPrivateKey });
}

/** Returns the key that verifies anchors, from the public or the private key's file. Throws PlainError. */
export function verifyingKey(file: string): KeyObject {
  return keyOf(readKey(file, "--anchor-key"), {
    file,
    flag: "--anchor-key",
    make: createPublicKey,
  });
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw unusable("--audit-anchor-key", file, error);
    }
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  try {
    // Does not replace a file that another process has just created.
    const pem = privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(file, pem, { mode: 0o600, flag: "wx" });
    chmodSync(file, 0o600);
    writeFileSync(`${file}.pub`, publicKey.export({ type: "spki", format: "pem" }));
  } catch (error) {
    throw unusable("--audit-anchor-key", file, error);
  }
  return readKey(file, "--audit-anchor-key");
}

function readKey(file: string, flag: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(flag, file, error);
  }
}

interface KeyText {
  readonly file: string;
  readonly flag: string;
  readonly make: (text: string) => KeyObject;
}

function keyOf(text: string, { file, flag, make }: KeyText): KeyObject {
  try {
    const key = make(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (error) {
    throw unusable(flag, file, error);
  }
  throw new PlainError(`${flag} ${file} is not an Ed25519 key: name another file for a new one.`);
}

function unusable(flag: string, file: string, cause: unknown): PlainError {
  const why = messageOf(cause);
  return new PlainError(`${flag} ${file} cannot be used (${why}): name a key file in PEM.`, {
    cause,
  });
}
