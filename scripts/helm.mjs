import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PlainError, runMain } from "./lib/project.mjs";

/** Go verifies the module against its checksum database. */
const VERSION = "v3.22.0";
/** The cluster version that `helm template` assumes without a cluster. */
const KUBERNETES = { major: 1, minor: 37 };

/**
 * `node scripts/helm.mjs ARGUMENTS`: runs the pinned Helm, built by Go and kept in the cache folder; `HELM` overrides it. It is
 * for the chart's tests and for rendering the chart; users run their own Helm.
 */
function main() {
  const { status, error } = spawnSync(helm(), process.argv.slice(2), { stdio: "inherit" });
  if (error !== undefined) throw new PlainError(`Helm could not be started: ${error.message}.`);
  process.exitCode = status ?? 1;
}

/** Returns the path of Helm, which is built first if necessary; that takes minutes. Throws PlainError if it cannot be built. */
export function helm({ env = process.env } = {}) {
  const { path, isThere } = whereHelmIs({ env });
  if (!isThere) build(path, env);
  return path;
}

/** Returns where it is or would be. */
export function whereHelmIs({ env = process.env } = {}) {
  const cache = env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const path = env.HELM ?? join(cache, "cloudwright", `helm-${VERSION}`, "helm");
  return { path, isThere: existsSync(path) };
}

function build(path, env) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = mkdtempSync(join(dirname(path), "draft-"));
  try {
    console.error(`Building Helm ${VERSION} (minutes when Go's caches are cold)`);
    const stamps = [
      `internal/version.version=${VERSION}`,
      `pkg/chartutil.k8sVersionMajor=${KUBERNETES.major}`,
      `pkg/chartutil.k8sVersionMinor=${KUBERNETES.minor}`,
    ].map((stamp) => `-X helm.sh/helm/v3/${stamp}`);
    const flags = ["-trimpath", "-ldflags", `-s -w ${stamps.join(" ")}`];
    const args = ["install", ...flags, `helm.sh/helm/v3/cmd/helm@${VERSION}`];
    const { status, error } = spawnSync("go", args, {
      // Outside any module of the checkout.
      cwd: draft,
      env: { ...env, GOBIN: draft, CGO_ENABLED: "0" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (error !== undefined)
      throw new PlainError(`There is no Go to build Helm ${VERSION} with (${error.message}).`);
    if (status !== 0) throw new PlainError(`Helm ${VERSION} could not be built by Go (${status}).`);
    renameSync(join(draft, "helm"), path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(main);
