import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Within the data folder, which is closed to other accounts. */
function passwordFile(dataDir: string): string {
  return join(dataDir, "cloudwright-password");
}

/** The password of the server's owner `postgres`; undefined for a folder that was made before there was one. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(passwordFile(dataDir), "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Readable by whoever runs us alone; never half written. */
export async function writePassword(dataDir: string, password: string): Promise<void> {
  const draft = `${passwordFile(dataDir)}.new`;
  await writeFile(draft, `${password}\n`, { mode: 0o600 });
  await rename(draft, passwordFile(dataDir));
}

/** 192 bits, of characters that a connection string and a statement take as they are. */
export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}
