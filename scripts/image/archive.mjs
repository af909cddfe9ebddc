import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, gzipSync } from "node:zlib";
import { PlainError, version } from "../lib/project.mjs";
import { rootFiles, USER } from "./root-files.mjs";

/** Where the program finds what it needs at run time, and the variables that its first line would set in a shell. */
const ENVIRONMENT = {
  PATH: "/usr/local/bin",
  NODE_ENV: "production",
  HOME: "/tmp",
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "65536",
};

/** How a container of the image starts; must match deploy/Containerfile. */
export const CONTAINER = {
  User: `${USER}:${USER}`,
  WorkingDir: "/app",
  Env: Object.entries(ENVIRONMENT).map(([key, value]) => `${key}=${value}`),
  Entrypoint: ["/usr/local/bin/node", "/app/apps/controller/bin/cloudwright.mjs"],
  Cmd: ["--help"],
};

const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };
const NO_TIME = "1970-01-01T00:00:00Z";
const MEDIA = "application/vnd.oci.image";

/** Writes this checkout's image. Returns the result of `writeArchive`, and the layers. Throws PlainError if the image cannot be made. */
export async function writeImage(out, name = `cloudwright:${version()}`) {
  requireLinux();
  const layers = rootFiles();
  return { name, layers, ...(await writeArchive(out, { name, version: version(), layers })) };
}

export function requireLinux() {
  if (process.platform === "linux") return;
  throw new PlainError(
    "An image holds Linux programs: run this on Linux, or build deploy/Containerfile.",
  );
}

/**
 * Writes layers as one archive that is both an OCI layout and a `docker save` archive. Returns the manifest's digest, and the
 * sizes of the archive and of its content. The same files result in the same digest.
 */
export async function writeArchive(out, { name, version, layers }) {
  const packed = [];
  for (const layer of layers) packed.push(await packedLayer(layer.files));
  const config = json(configOf(packed, version));
  const manifest = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config: descriptor(`${MEDIA}.config.v1+json`, config),
    layers: packed.map(({ blob }) => descriptor(`${MEDIA}.layer.v1.tar+gzip`, blob)),
  });
  const [, tag = "latest"] = /:([^:/]+)$/.exec(name) ?? [];
  const index = json({
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [
      {
        ...descriptor(`${MEDIA}.manifest.v1+json`, manifest),
        platform: { architecture: ARCHITECTURES[process.arch], os: "linux" },
        annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": tag },
      },
    ],
  });
  const blobs = [config, manifest, ...packed.map(({ blob }) => blob)];
  const docker = [
    {
      Config: blobPath(config),
      RepoTags: [name],
      Layers: packed.map(({ blob }) => blobPath(blob)),
    },
  ];
  const files = [
    { path: "oci-layout", content: () => json({ imageLayoutVersion: "1.0.0" }) },
    { path: "index.json", content: () => index },
    { path: "manifest.json", content: () => json(docker) },
    ...blobs.map((blob) => ({ path: blobPath(blob), content: () => blob })),
  ].map((file) => ({ mode: 0o644, ...file }));
  const archive = await tarOf(files);
  await pipeline([archive], createWriteStream(out));
  const unpacked = layers
    .flatMap((layer) => layer.files)
    .reduce((sum, { bytes }) => sum + bytes, 0);
  return { digest: `sha256:${sha256(manifest)}`, size: archive.length, unpacked };
}

async function packedLayer(files) {
  const tar = await tarOf(files);
  return {
    diffId: `sha256:${sha256(tar)}`,
    blob: gzipSync(tar, { level: constants.Z_BEST_COMPRESSION }),
  };
}

function configOf(packed, version) {
  return {
    created: NO_TIME,
    architecture: ARCHITECTURES[process.arch],
    os: "linux",
    config: {
      ...CONTAINER,
      Labels: {
        "org.opencontainers.image.title": "Cloudwright",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    },
    rootfs: { type: "layers", diff_ids: packed.map(({ diffId }) => diffId) },
    history: packed.map(() => ({ created: NO_TIME, created_by: "npm run image" })),
  };
}

/** Returns the bytes of a tar archive, with parent folders for all paths, all dated 1970. */
export async function tarOf(files) {
  const { pack } = await import("tar-stream");
  const archive = pack();
  const chunks = [];
  const read = (async () => {
    for await (const chunk of archive) chunks.push(chunk);
  })();
  for (const entry of withFolders(files)) await add(archive, entry);
  archive.finalize();
  await read;
  return Buffer.concat(chunks);
}

function add(archive, { path, mode, owner = 0, content }) {
  const header = { name: path, mode, uid: owner, gid: owner, mtime: new Date(0) };
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    if (content !== undefined) archive.entry(header, content(), done);
    else archive.entry({ ...header, type: "directory" }, done);
  });
}

/** Adds each folder once, before its content. */
export function withFolders(files) {
  const known = new Set(files.filter(isFolder).map(({ path }) => path));
  return files.flatMap((file) => {
    const parts = file.path.split("/").slice(0, -1);
    const folders = parts.map((_, depth) => parts.slice(0, depth + 1).join("/"));
    const missing = folders.filter((path) => !known.has(path));
    for (const path of missing) known.add(path);
    return [...missing.map((path) => ({ path, mode: 0o755 })), file];
  });
}

function isFolder({ content }) {
  return content === undefined;
}

function json(value) {
  return Buffer.from(JSON.stringify(value));
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function descriptor(mediaType, bytes) {
  return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
}

function blobPath(bytes) {
  return `blobs/sha256/${sha256(bytes)}`;
}
