import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { inProject } from "../lib/project.mjs";
// @ts-expect-error The scripts are plain JavaScript, as they run before anything is installed.
import { filesBelow } from "./root-files.mjs";

it("a link to a folder is one file, and nothing of what it leads to is there twice", () => {
  const folder = mkdtempSync(join(tmpdir(), "cloudwright-tree-"));
  try {
    mkdirSync(join(folder, "real", "lib"), { recursive: true });
    writeFileSync(join(folder, "real", "lib", "index.js"), "");
    symlinkSync("real", join(folder, "link"));
    const found = filesBelow(relativeTo(folder)) as readonly string[];
    expect([...found].sort()).toEqual(["link", "real/lib/index.js"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** `inProject` joins what it is given to the checkout's folder. */
function relativeTo(folder: string): string {
  const up = (inProject() as string).split("/").filter((part) => part !== "");
  return join(...up.map(() => ".."), folder);
}
