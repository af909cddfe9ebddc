import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT, run } from "./processes.ts";

const GO_MODULE = join(PROJECT_ROOT, "packages/providers/grpc/go");

/** The package of a provider process, `aws` or `gce/fake`, and the provider that it serves. */
export interface GoProvider {
  readonly name: string;
  /** The module's folder. */
  readonly module: string;
  /** The package's path in the module. */
  readonly package: string;
}

/** The same environment as in `npm test`, so that both share the compiled packages. */
const LIKE_THE_TESTS = { CGO_ENABLED: "0" };

const FLAGS = ["-trimpath", "-buildvcs=false"];

/** Runs `go vet` or the tests of the module in this folder. Throws with the findings, or with the failed tests. */
export async function checkGoModule(module: string, command: "vet" | "test"): Promise<void> {
  await run("go", ["-C", join(GO_MODULE, module), command, ...FLAGS, "./..."], {
    env: LIKE_THE_TESTS,
  });
}

/** Returns the folder with the provider's process as `cloudwright-provider-NAME`; builds it unless it was built from the same sources. */
export async function buildGoProvider(provider: GoProvider): Promise<string> {
  const program = `cloudwright-provider-${provider.name}`;
  const cache = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
    `cloudwright-${provider.name}`,
  );
  const folder = join(cache, hashOf(provider));
  if (existsSync(join(folder, program))) return folder;
  mkdirSync(folder, { recursive: true });
  const built = join(folder, "built");
  const flags = [...FLAGS, "-o", built];
  await run("go", ["-C", join(GO_MODULE, provider.module), "build", ...flags, provider.package], {
    env: LIKE_THE_TESTS,
  });
  renameSync(built, join(folder, program));
  return folder;
}

function hashOf(provider: GoProvider): string {
  const hash = createHash("sha256").update(provider.package);
  for (const path of readdirSync(GO_MODULE, { recursive: true, encoding: "utf8" }).sort())
    if (/\.(go|mod|sum)$/.test(path)) hash.update(path).update(readFileSync(join(GO_MODULE, path)));
  return hash.digest("hex").slice(0, 16);
}
