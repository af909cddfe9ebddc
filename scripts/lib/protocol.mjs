import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { inProject } from "./project.mjs";

/** The package with the contract for provider processes; its files are below `proto`. */
export const CONTRACT = "packages/providers/grpc";

/** The hash of the input, stored beside the generated code. */
export const STAMP = "proto.sha256";

/** Returns a hash that changes with any file of the contract. */
export function protocolHash() {
  const folder = inProject(CONTRACT, "proto");
  const files = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".proto"));
  const hash = createHash("sha256");
  for (const path of files.sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(`${folder}/${path}`))
      .update("\0");
  }
  return hash.digest("hex");
}
