import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "../lib/project.mjs";
import { runNodeTool } from "./run-tool.mjs";

const FOLDER = "packages/provider-api";

/** Builds JavaScript with types, for `npm pack`. The project itself runs the sources. */
export async function buildProviderApi() {
  const dist = inProject(FOLDER, "dist");
  rmSync(dist, { recursive: true, force: true });
  await runNodeTool({ title: "tsc", tool: "tsc", args: ["-p", FOLDER] });
  for (const name of readdirSync(dist, { recursive: true })) {
    if (name.endsWith(".d.ts")) nameBuiltFiles(join(dist, name));
  }
}

/** In types, the compiler refers to neighbouring files by their source names, which are not packed. */
function nameBuiltFiles(file) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}
