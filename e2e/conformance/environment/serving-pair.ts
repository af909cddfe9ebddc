import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { authority, serverPair } from "../../harness/certificates.ts";
import type { Flags } from "../../harness/controller.ts";

/**
 * What the controllers that rows start serve with. Without it each would make a pair of its own, as those of the groups do, and spend a
 * tenth of its start on that.
 */
export async function servingPair(dir: string): Promise<Flags> {
  const { cert, key } = await serverPair(await authority("conformance"), "127.0.0.1");
  const files = { cert: join(dir, "serving.crt"), key: join(dir, "serving.key") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return { "--tls-cert-file": files.cert, "--tls-private-key-file": files.key };
}
