import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { createAuthority, createServingCertificate } from "../../tls/certificates.ts";

const pairSchema = z.object({ key: z.string(), certificate: z.string() });
const identitySchema = z.object({
  authority: pairSchema,
  serving: pairSchema,
  /** The host of the serving certificate, beside loopback. */
  host: z.string(),
  token: z.string(),
  /** The server's previous port, which keeps kubeconfigs valid. */
  port: z.number().int(),
});

/** What makes it the same cluster after a restart, apart from its objects. */
export type Identity = z.infer<typeof identitySchema>;

/** Reads the folder's identity or creates one. Throws when the file there is not one of ours. */
export async function loadIdentity(folder: string, host: string): Promise<Identity> {
  mkdirSync(folder, { recursive: true });
  const path = pathIn(folder);
  if (existsSync(path)) {
    return forHost(identitySchema.parse(JSON.parse(readFileSync(path, "utf8"))), host);
  }
  const authority = await createAuthority("cloudwright-sandbox-ca");
  const serving = await createServingCertificate(authority, [host]);
  const token = randomBytes(32).toString("base64url");
  const identity = { authority, serving, host, token, port: 0 };
  saveIdentity(folder, identity);
  return identity;
}

async function forHost(identity: Identity, host: string): Promise<Identity> {
  if (identity.host === host) return identity;
  const serving = await createServingCertificate(identity.authority, [host]);
  return { ...identity, serving, host };
}

export function saveIdentity(folder: string, identity: Identity): void {
  writePrivateFile(pathIn(folder), `${JSON.stringify(identity)}\n`);
}

/** Writes a file that only its owner may read, in one step. */
export function writePrivateFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function pathIn(folder: string): string {
  return join(folder, "identity.json");
}
