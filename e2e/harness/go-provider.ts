import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT, run } from "./processes.ts";

const GO_MODULE = join(PROJECT_ROOT, "packages/providers/grpc/go");

/** A package of a provider process, `aws` or `gce/fake`, and the provider that it serves. */
export interface GoProvider {
  readonly name: string;
  /** The module's folder. */
  readonly module: string;
  /** Of the module. */
  readonly package: string;
}

/** As `npm test` compiles them, so that what one of the two has compiled serves the other. */
const LIKE_THE_TESTS = { CGO_ENABLED: "0" };

const FLAGS = ["-trimpath", "-buildvcs=false"];

/** Throws with what `go vet` has to say about the module in this folder, or with those of its tests that failed. */
export async function checkGoModule(module: string, command: "vet" | "test"): Promise<void> {
  await run("go", ["-C", join(GO_MODULE, module), command, ...FLAGS, "./..."], {
    env: LIKE_THE_TESTS,
  });
}

/** The folder with the provider's process as `cloudwright-provider-NAME`, which is built unless these very sources were built before. */
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
