import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

const GO_MODULE = join(PROJECT_ROOT, "packages/providers/grpc/go");
const NAME = "cloudwright-provider-aws";

/** The folder with the process of upstream's AWS provider, which is built unless these very sources were built before. */
export async function buildAwsProvider(): Promise<string> {
  const root = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "cloudwright-aws");
  const folder = join(root, hashOfSources());
  if (existsSync(join(folder, NAME))) return folder;
  mkdirSync(folder, { recursive: true });
  const built = join(folder, "built");
  const flags = ["-trimpath", "-buildvcs=false", "-o", built];
  await run("go", ["-C", join(GO_MODULE, "aws"), "build", ...flags, "."]);
  renameSync(built, join(folder, NAME));
  return folder;
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const path of readdirSync(GO_MODULE, { recursive: true, encoding: "utf8" }).sort())
    if (/\.(go|mod|sum)$/.test(path)) hash.update(path).update(readFileSync(join(GO_MODULE, path)));
  return hash.digest("hex").slice(0, 16);
}
