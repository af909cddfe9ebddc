import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject, ROOT } from "../lib/project.mjs";
import { runtime } from "../lib/runtime.mjs";
import { writeSbom } from "../supply-chain/sbom.mjs";
import { sharedLibraries } from "./shared-libraries.mjs";

/** Who the image runs as; a number, so that Kubernetes can see that it is not root. */
export const USER = 65_532;

const BUNDLE = "apps/controller/dist";
const DASHBOARD = "apps/web/.next/standalone";

/**
 * What is in the image, by layer: what changes least comes first. A file is `{ path, mode, bytes, content() }`, a link
 * has `link` in place of its content, a folder has neither; `owner` is a number where it is not root. Everything is sorted and holds no time, so that the same input makes the same image.
 */
export function rootFiles() {
  return [
    { title: "system", files: sorted([...accounts(), ...folders(), ...libraries()]) },
    { title: "Node", files: [ofDisk("usr/local/bin/node", realpathSync(runtime()), 0o755)] },
    {
      title: "Cloudwright",
      files: sorted([...program(), ...dashboard(), ...papers()]),
    },
  ];
}

function accounts() {
  return [
    text(
      "etc/passwd",
      `root:x:0:0:root:/root:/sbin/nologin\ncloudwright:x:${USER}:${USER}::/tmp:/sbin/nologin\n`,
    ),
    text("etc/group", `root:x:0:\ncloudwright:x:${USER}:\n`),
    text("etc/nsswitch.conf", "hosts: files dns\n"),
  ];
}

/** A read-only root file system needs mounts at /tmp and, for the spool, at /var/lib/cloudwright. */
function folders() {
  return [
    { path: "tmp", mode: 0o1777, bytes: 0 },
    { path: "var/lib/cloudwright", mode: 0o700, bytes: 0, owner: USER },
  ];
}

function libraries() {
  return sharedLibraries(realpathSync(runtime())).map((path) =>
    ofDisk(path.slice(1), realpathSync(path), 0o755),
  );
}

const COMMAND = `#!/usr/local/bin/node
await import("/app/apps/controller/bin/cloudwright.mjs");
`;

function program() {
  return [
    // For kubectl exec: the image has no shell, which the command's own first line asks for.
    text("usr/local/bin/cloudwright", COMMAND, 0o755),
    text(
      "app/package.json",
      `${JSON.stringify({ name: "cloudwright", private: true, type: "module" })}\n`,
    ),
    ofDisk(
      "app/apps/controller/bin/cloudwright.mjs",
      inProject("apps/controller/bin/cloudwright.mjs"),
      0o755,
    ),
    ...tree(
      BUNDLE,
      (path) => !path.endsWith(".map") && !path.startsWith(".stamp") && path !== "node",
    ),
  ];
}

/** Resizes images; the pages have none that are resized, and it is a third of all else. */
const IMAGE_RESIZER = /(^|\/)node_modules\/(@img|sharp)\//;

function dashboard() {
  return tree(DASHBOARD, (path) => !path.endsWith(".map") && !IMAGE_RESIZER.test(path))
    .map(withoutBuildSecrets)
    .map(withoutCheckout);
}

/** Next notes in these where it was built. */
const NOTES_CHECKOUT = /\/(required-server-files\.json|server\.js)$/;

function withoutCheckout(file) {
  if (!NOTES_CHECKOUT.test(file.path)) return file;
  return text(file.path, file.content().toString("utf8").replaceAll(ROOT, "/app"));
}

const MANIFEST = /\/prerender-manifest\.json$/;

/**
 * Next draws keys for its preview mode at each build, which we do not use. In an image everybody could read them, and no two images
 * would be alike.
 */
function withoutBuildSecrets(file) {
  if (!MANIFEST.test(file.path)) return file;
  const manifest = JSON.parse(file.content());
  const keys = Object.keys(manifest.preview ?? {});
  const preview = Object.fromEntries(keys.map((key) => [key, "0".repeat(64)]));
  return text(file.path, JSON.stringify({ ...manifest, preview }));
}

/** The licence, and the bill of materials without the time and the number of its making. */
function papers() {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-sbom-"));
  try {
    const [sbom, licences] = writeSbom(folder).map((path) => readFileSync(path, "utf8"));
    const { serialNumber: _, ...rest } = JSON.parse(sbom);
    const { timestamp: __, ...metadata } = rest.metadata;
    return [
      ofDisk("app/LICENSE", inProject("LICENSE")),
      text("app/sbom/cloudwright.cdx.json", `${JSON.stringify({ ...rest, metadata }, null, 2)}\n`),
      text("app/sbom/licences.md", licences),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of a folder of the checkout that `keeps` names by their path within, each at `app/` and its path. */
function tree(folder, keeps) {
  return filesBelow(folder)
    .filter(keeps)
    .map((path) => ofTree(`app/${folder}/${path}`, inProject(folder, path)));
}

/**
 * By their paths within the folder; a link is one of them, and what it leads to is not. Node's own recursive listing follows links since
 * Node 22: then a package would be in the image twice, and be another one to those who compare its classes.
 */
export function filesBelow(folder, within = "") {
  return readdirSync(inProject(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    return entry.isDirectory() ? filesBelow(folder, path) : [path];
  });
}

/** A link of the checkout stays one: it leads within its folder. */
function ofTree(path, source) {
  if (!lstatSync(source).isSymbolicLink()) return ofDisk(path, source);
  return { path, mode: 0o777, bytes: 0, link: readlinkSync(source) };
}

function ofDisk(path, source, mode = 0o644) {
  return { path, mode, bytes: statSync(source).size, content: () => readFileSync(source) };
}

function text(path, content, mode = 0o644) {
  const bytes = Buffer.from(content);
  return { path, mode, bytes: bytes.length, content: () => bytes };
}

function sorted(files) {
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}
