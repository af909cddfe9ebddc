import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { baselineFolder } from "../bench/baseline.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

const GO_MODULE = join(PROJECT_ROOT, "packages/providers/grpc/go");
const NAME = "cloudwright-provider-fakecloud";

/**
 * The main package of a process with the baseline's provider: it stands in the place of the baseline's own, so that its provider is
 * compiled as it is. Its cloud refuses in words of its own.
 */
const MAIN = `package main

import (
	"encoding/json"
	"errors"
	"io"

	"baseline/cloud"

	providerv1 "cloudwright.io/provider/gen/cloudwright/provider/v1"
	"cloudwright.io/provider/serve"
	cloudprovider "k8s.io/cloud-provider"
)

func main() {
	cloudprovider.RegisterCloudProvider(providerName, func(config io.Reader) (cloudprovider.Interface, error) {
		if config == nil {
			return nil, errors.New("--cloud-config is required")
		}
		var given struct{ URL string }
		if err := json.NewDecoder(config).Decode(&given); err != nil {
			return nil, err
		}
		return &provider{cloud.NewRemote(given.URL)}, nil
	})
	serve.MainWith(providerName, serve.Options{Classify: classify})
}

func classify(err error) *serve.Failure {
	if !errors.Is(err, cloud.ErrThrottled) {
		return nil
	}
	second := uint64(1000)
	return &serve.Failure{Code: providerv1.FailureCode_FAILURE_CODE_THROTTLED, RetryAfterMs: &second, Status: 429}
}
`;

/** The folder with the executable, which is built unless these very sources were built before. */
export async function buildBaselineProvider(): Promise<string> {
  // Go looks for what an overlay replaces by the path without links.
  const baseline = realpathSync(baselineFolder());
  const root = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "cloudwright-bridge");
  const folder = join(root, hashOf(baseline));
  if (existsSync(join(folder, NAME))) return folder;
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const overlay = write(
    "overlay.json",
    JSON.stringify({ Replace: { [join(baseline, "cmd/ccm/main.go")]: write("main.go", MAIN) } }),
  );
  const sums = [baseline, GO_MODULE].map((from) => readFileSync(join(from, "go.sum"), "utf8"));
  write("go.sum", sums.join(""));
  const modules = write(
    "go.mod",
    `${readFileSync(join(baseline, "go.mod"), "utf8")}
require cloudwright.io/provider v0.0.0

replace cloudwright.io/provider => ${GO_MODULE}
`,
  );
  const built = join(folder, "built");
  const flags = ["-trimpath", "-buildvcs=false", `-modfile=${modules}`, `-overlay=${overlay}`];
  await run("go", ["-C", baseline, "build", ...flags, "-mod=mod", "-o", built, "./cmd/ccm"]);
  renameSync(built, join(folder, NAME));
  return folder;
}

function hashOf(baseline: string): string {
  const hash = createHash("sha256").update(MAIN);
  for (const folder of [join(baseline, "cmd/ccm"), join(baseline, "cloud"), GO_MODULE]) {
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      if (/\.(go|mod|sum)$/.test(path)) hash.update(path).update(readFileSync(join(folder, path)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
