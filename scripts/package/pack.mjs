import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { constants, gzipSync } from "node:zlib";
import { tarOf } from "../image/archive.mjs";
import { productFiles } from "../image/product-files.mjs";

/**
 * Writes the npm package `cloudwright`, with the same files as the image. `npm pack` would leave out the dashboard's packages, as
 * it leaves out every node_modules. Returns the file's digest, its size, and the size of its content. The same files result in
 * the same digest.
 */
export async function writePackage(out) {
  const files = productFiles();
  const tar = await tarOf(files.map((file) => ({ ...file, path: `package/${file.path}` })));
  const packed = gzipSync(tar, { level: constants.Z_BEST_COMPRESSION });
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, packed);
  return {
    digest: `sha256:${createHash("sha256").update(packed).digest("hex")}`,
    size: packed.length,
    unpacked: files.reduce((sum, { bytes }) => sum + bytes, 0),
    count: files.length,
  };
}
