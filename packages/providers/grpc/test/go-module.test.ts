import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GO_MODULE, GO_TIMEOUT_MS, go, isGoMissing } from "./go-toolchain.ts";

const TEMPLATE = join(GO_MODULE, "../template");
/** Hetzner's provider, which the template names, may not be available offline; this one is among the module's own packages. */
const FAKE = "k8s.io/cloud-provider/fake";

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "cloudwright-go-"));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** The providers of AWS and Google Cloud need their clouds' SDKs: `npm run e2e:aws` tests one, and `npm run e2e:gce` vets the other. */
describe.skipIf(isGoMissing)("the Go module", () => {
  it("passes go vet", { timeout: GO_TIMEOUT_MS }, async () => {
    await go(GO_MODULE, "vet", "./...");
  });

  it("passes its own tests", { timeout: GO_TIMEOUT_MS }, async () => {
    expect(await go(GO_MODULE, "test", "./...")).toContain("ok  \tcloudwright.io/provider/serve");
  });

  it("builds the same program in any folder", { timeout: GO_TIMEOUT_MS }, async () => {
    const hashes = new Set([await hashOfBuildIn("one"), await hashOfBuildIn("other")]);
    expect(hashes.size).toBe(1);
  });
});

describe.skipIf(isGoMissing)("the template", () => {
  it("becomes a provider process once a provider is named", {
    timeout: GO_TIMEOUT_MS,
  }, async () => {
    const copy = join(dir, "template");
    await cp(TEMPLATE, copy, { recursive: true });
    await cp(GO_MODULE, join(dir, "go"), { recursive: true });
    await rewrite("main.go", copy, (text) =>
      text
        .replace("github.com/hetznercloud/hcloud-cloud-controller-manager/hcloud", FAKE)
        .replace('serve.Main("hcloud")', 'serve.Main("fake")'),
    );
    // What `go get` and `go mod tidy` would write, but without network access.
    const modules = await readFile(join(GO_MODULE, "go.mod"), "utf8");
    const requires = modules.match(/^require \([^)]*\)$/gm) ?? [];
    const others = requires.map((block) => block.replace(/^\tcloudwright\.io\/provider .*\n/m, ""));
    await rewrite("go.mod", copy, (text) => [text, ...others].join("\n"));
    await cp(join(GO_MODULE, "go.sum"), join(copy, "go.sum"));
    await go(copy, "vet", "./...");
  });
});

async function rewrite(name: string, folder: string, change: (text: string) => string) {
  const path = join(folder, name);
  const text = await readFile(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
}

async function hashOfBuildIn(name: string): Promise<string> {
  const copy = join(dir, name);
  await cp(GO_MODULE, copy, { recursive: true });
  await go(copy, "build", "-o", "program", "./cmd/cloudwright-provider-fake");
  return createHash("sha256")
    .update(await readFile(join(copy, "program")))
    .digest("hex");
}
