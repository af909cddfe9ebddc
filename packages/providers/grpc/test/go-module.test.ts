import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GO_MODULE, GO_TIMEOUT_MS, go, isGoMissing } from "./go-toolchain.ts";

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "cloudwright-go-"));
});

afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe.skipIf(isGoMissing)("the Go module", () => {
  it("is what go vet has nothing to say about", { timeout: GO_TIMEOUT_MS }, async () => {
    await go(GO_MODULE, "vet", "./...");
  });

  it("passes its own tests", { timeout: GO_TIMEOUT_MS }, async () => {
    expect(await go(GO_MODULE, "test", "./...")).toContain("ok  \tcloudwright.io/provider/serve");
  });

  it("gives the same program in any folder", { timeout: GO_TIMEOUT_MS }, async () => {
    const hashes = new Set([await hashOfBuildIn("one"), await hashOfBuildIn("other")]);
    expect(hashes.size).toBe(1);
  });
});

async function hashOfBuildIn(name: string): Promise<string> {
  const copy = join(dir, name);
  await cp(GO_MODULE, copy, { recursive: true });
  await go(copy, "build", "-o", "program", "./cmd/cloudwright-provider-fake");
  return createHash("sha256")
    .update(await readFile(join(copy, "program")))
    .digest("hex");
}
