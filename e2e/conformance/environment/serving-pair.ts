import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { authority, serverPair } from "../../harness/certificates.ts";
import type { Flags } from "../../harness/controller.ts";

/**
 * Creates the serving certificate of controllers started by rows. Without it each would make its own, like those of the groups,
 * which takes a tenth of its start.
 */
export async function servingPair(dir: string): Promise<Flags> {
  const { cert, key } = await serverPair(await authority("conformance"), "127.0.0.1");
  const files = { cert: join(dir, "serving.crt"), key: join(dir, "serving.key") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return { "--tls-cert-file": files.cert, "--tls-private-key-file": files.key };
}
