import { existsSync } from "node:fs";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { rootFiles } from "./root-files.mjs";

interface RootFile {
  readonly path: string;
  content(): Buffer;
}

/** npm reads the whole lock file for a bill of materials, which takes long. */
const NPM_LISTS_MS = 180_000;
const isBuilt = existsSync(new URL("../../apps/controller/dist", import.meta.url));

it.runIf(process.platform === "linux" && isBuilt)(
  "the image says which Node and which libraries are in it, with their hashes",
  () => {
    const files: RootFile[] = rootFiles().flatMap((layer: { files: RootFile[] }) => layer.files);
    const bill = files.find(({ path }) => path === "usr/share/cloudwright/system.cdx.json");
    const { components } = JSON.parse(String(bill?.content()));
    expect(components[0]).toMatchObject({
      name: "node",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      hashes: [{ alg: "SHA-256", content: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(components.map(({ name }: { name: string }) => name)).toContain("libc.so.6");
  },
  NPM_LISTS_MS,
);
