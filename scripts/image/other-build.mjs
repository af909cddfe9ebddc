import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCheckout } from "../lib/copy-checkout.mjs";
import { PlainError } from "../lib/project.mjs";
import { runTool } from "../setup/run-tool.mjs";
import { filesIn } from "./product-files.mjs";

/**
 * Builds everything once more from the sources of this checkout, in a folder with another path, and compares each file of the
 * image, whose digest depends only on its files. Throws PlainError that names those that differ.
 */
export async function requireSameBuild(files) {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-other-build-"));
  try {
    const [checkout, root] = [join(folder, "deeper", "checkout"), join(folder, "image")];
    copyCheckout(checkout);
    await runTool({
      title: "The other build",
      command: process.execPath,
      args: [join(checkout, "scripts/image.mjs"), "--root", root],
      cwd: checkout,
    });
    const different = differences(files, root);
    if (different.length === 0) return;
    throw new PlainError(
      `${different.length} files differ in another build of the same sources:\n${different.join("\n")}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the paths of files that are missing from a folder, exist only there, or have other content. */
export function differences(files, root) {
  const expected = new Map(files.filter(({ content }) => content).map((file) => [file.path, file]));
  const found = filesIn(root);
  const missing = [...expected.keys()].filter((path) => !found.includes(path));
  const others = found.filter((path) => {
    const file = expected.get(path);
    return file === undefined || !readFileSync(join(root, path)).equals(file.content());
  });
  return [...missing, ...others].sort();
}
