import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const pack = promisify(brotliCompress);

/**
 * Writes next to each script and style sheet of a folder a copy with Brotli's best compression (`.br`). That takes a tenth of a
 * second for a large file, so it is done once and not for each request; the dashboard serves the copy (apps/web,
 * server/edge/packed.ts).
 */
export async function packStatic(folder) {
  const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
  await Promise.all(names.map((name) => packFile(join(folder, name))));
}

async function packFile(path) {
  const content = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  writeFileSync(`${path}.br`, await pack(content, { params }));
}
