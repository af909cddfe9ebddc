import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Within the data folder, which is closed to other accounts. */
function passwordFile(dataDir: string): string {
  return join(dataDir, "cloudwright-password");
}

/** Returns the password of the server's owner `postgres`; undefined for a folder from before passwords were introduced. */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(passwordFile(dataDir), "utf8")).trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a file that only our account can read, never partially. */
export async function writePassword(dataDir: string, password: string): Promise<void> {
  const draft = `${passwordFile(dataDir)}.new`;
  await writeFile(draft, `${password}\n`, { mode: 0o600 });
  await rename(draft, passwordFile(dataDir));
}

/** 192 bits, in characters that need no escaping in a connection string or a statement. */
export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}
