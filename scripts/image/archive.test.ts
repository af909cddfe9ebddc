import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { beforeEach, expect, it, onTestFinished } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { withFolders, writeArchive } from "./archive.mjs";

interface Entry {
  readonly type: string;
  readonly mode: number;
  readonly uid: number;
  readonly mtime: number;
  readonly bytes: Buffer;
}

const LAYERS = [
  {
    title: "one",
    files: [
      { path: "etc/passwd", mode: 0o644, bytes: 4, content: () => Buffer.from("root") },
      { path: "tmp", mode: 0o1777, bytes: 0 },
      { path: "var/lib/cloudwright", mode: 0o700, bytes: 0, owner: 65_532 },
    ],
  },
  {
    title: "two",
    files: [{ path: "app/a", mode: 0o755, bytes: 1, content: () => Buffer.from("a") }],
  },
];
const OPTIONS = { name: "example.org/cloudwright:1.2.3", version: "1.2.3", layers: LAYERS };

let out: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-image-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  out = join(folder, "image.tar");
});

it("makes the same archive from the same files", async () => {
  const first = await writeArchive(out, OPTIONS);
  const bytes = readFileSync(out);
  expect(await writeArchive(out, OPTIONS)).toEqual(first);
  expect(readFileSync(out).equals(bytes)).toBe(true);
  expect(first.unpacked).toBe(5);
});

it("is an OCI layout in which every digest matches its bytes", async () => {
  const { digest } = await writeArchive(out, OPTIONS);
  const files = await entries(readFileSync(out));
  const [named] = json(files, "index.json").manifests;
  expect(named).toMatchObject({
    digest,
    platform: { os: "linux" },
    annotations: { "io.containerd.image.name": OPTIONS.name },
  });
  for (const [path, { bytes }] of files) {
    const [, hash] = /^blobs\/sha256\/(.+)$/.exec(path) ?? [];
    if (hash !== undefined) expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
  }
  const manifest = json(files, blob(digest));
  const config = json(files, blob(manifest.config.digest));
  const unpacked = manifest.layers.map((layer: { digest: string }) => {
    const tar = gunzipSync(files.get(blob(layer.digest))?.bytes ?? "");
    return `sha256:${createHash("sha256").update(tar).digest("hex")}`;
  });
  expect(config.rootfs.diff_ids).toEqual(unpacked);
});

it("can be read by docker load as well, with the same config and layers", async () => {
  const { digest } = await writeArchive(out, OPTIONS);
  const files = await entries(readFileSync(out));
  const [image] = json(files, "manifest.json");
  const manifest = json(files, blob(digest));
  expect(image.RepoTags).toEqual([OPTIONS.name]);
  expect(image.Config).toBe(blob(manifest.config.digest));
  expect(image.Layers).toEqual(
    manifest.layers.map((layer: { digest: string }) => blob(layer.digest)),
  );
});

it("runs as a user who is not root, by a program and not by a shell", async () => {
  const { digest } = await writeArchive(out, OPTIONS);
  const files = await entries(readFileSync(out));
  const { config } = json(files, blob(json(files, blob(digest)).config.digest));
  expect(config.User).toBe("65532:65532");
  expect(config.Entrypoint[0]).toBe("/usr/local/bin/node");
});

it("keeps modes and owners, and dates everything 1970", async () => {
  const { digest } = await writeArchive(out, OPTIONS);
  const files = await entries(readFileSync(out));
  const found = new Map<string, Entry>();
  for (const layer of json(files, blob(digest)).layers) {
    const tar = gunzipSync(files.get(blob(layer.digest))?.bytes ?? "");
    for (const [path, entry] of await entries(tar)) found.set(path, entry);
  }
  expect(found.get("tmp")).toMatchObject({ type: "directory", mode: 0o1777, uid: 0 });
  expect(found.get("var/lib/cloudwright")).toMatchObject({ mode: 0o700, uid: 65_532 });
  expect(found.get("app/a")).toMatchObject({ type: "file", mode: 0o755 });
  expect(new Set([...found.values()].map(({ mtime }) => mtime))).toEqual(new Set([0]));
});

it("contains each folder once, before its content", () => {
  const files = ["a/b/c", "a/b/d", "a/e"].map((path) => ({ path, mode: 0o644, content: () => "" }));
  expect(withFolders(files).map(({ path }: { path: string }) => path)).toEqual([
    ...["a", "a/b", "a/b/c", "a/b/d", "a/e"],
  ]);
});

async function entries(tar: Buffer): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  const reader = extract();
  reader.end(tar);
  for await (const entry of reader) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    const { name, type, mode, uid, mtime } = entry.header;
    found.set(name, {
      type,
      mode,
      uid,
      mtime: mtime.getTime(),
      bytes: Buffer.concat(chunks),
    });
  }
  return found;
}

function json(files: ReadonlyMap<string, Entry>, path: string) {
  return JSON.parse(files.get(path)?.bytes.toString("utf8") ?? "");
}

function blob(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}
