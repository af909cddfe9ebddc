import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { inProject } from "./project.mjs";

/** The room of the contract with provider processes; its files are below `proto`. */
export const CONTRACT = "packages/providers/grpc";

/** Beside generated code: the hash of what it was generated from. */
export const STAMP = "proto.sha256";

/** Differs as soon as any file of the contract does. */
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
