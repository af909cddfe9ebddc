import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { inProject, PlainError, ROOT } from "../lib/project.mjs";
import { packStatic } from "./pack-static.mjs";
import { runNodeTool } from "./run-tool.mjs";

const BUILD = "apps/web/.next";
/** The folder that runs without the packages; the server is in it at its path in the checkout. */
export const STANDALONE = `${BUILD}/standalone`;
export const SERVER = `${STANDALONE}/apps/web/server.js`;

/**
 * Builds the dashboard as one folder that can be copied anywhere. The same sources result in the same files, wherever they are
 * built: `buildId` stands for the sources.
 */
export async function buildDashboard(buildId) {
  await runNodeTool({
    title: "next build",
    tool: "next",
    args: ["build"],
    cwd: inProject("apps/web"),
    env: { CLOUDWRIGHT_BUILD_ID: buildId },
  });
  if (!existsSync(inProject(SERVER))) {
    throw new PlainError(`next build ended well but made no ${SERVER}; is output "standalone"?`);
  }
  // A standalone server only serves static files from its own folder.
  copyInto(`${BUILD}/static`, `${STANDALONE}/apps/web/.next/static`);
  copyInto("apps/web/public", `${STANDALONE}/apps/web/public`);
  makePortable(inProject(STANDALONE));
  await packStatic(inProject(STANDALONE, "apps/web/.next/static/chunks"));
}

function copyInto(from, to) {
  if (!existsSync(inProject(from))) return;
  mkdirSync(dirname(inProject(to)), { recursive: true });
  cpSync(inProject(from), inProject(to), { recursive: true });
}

/** Removes from a standalone folder what is specific to this machine and this build. */
export function makePortable(standalone) {
  const names = plainNames(standalone);
  for (const path of filesBelow(join(standalone, "apps/web"))) {
    if (!/\.(js|json)$/.test(path)) continue;
    const text = readFileSync(path, "utf8");
    const portable = withoutKeys(withPlainNames(text, names).replaceAll(ROOT, "/app"));
    if (portable !== text) writeFileSync(path, portable);
  }
  rmSync(join(standalone, LINKS), { recursive: true, force: true });
}

const LINKS = "apps/web/.next/node_modules";

/**
 * Next refers to packages outside its bundles by names with a hash, and links these names to the packages. npm packs no links,
 * and a copy would be another package: its pool would take ours for a configuration. Under their plain names Node finds the same
 * folders, as there is one of each.
 */
function plainNames(standalone) {
  const links = join(standalone, LINKS);
  const names = existsSync(links) ? packagesIn(links) : [];
  return names.map((hashed) => {
    const plain = hashed.replace(/-[0-9a-f]{16}$/, "");
    const [found, expected] = [join(links, hashed), join(standalone, "node_modules", plain)];
    if (realpathSync(found) === realpathSync(expected)) return { hashed, plain };
    throw new PlainError(
      `${hashed} of the built dashboard is not ${plain} of its packages: there are two versions of it, of which package-lock.json may have only one.`,
    );
  });
}

function packagesIn(folder) {
  return readdirSync(folder).flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`)
      : [name],
  );
}

function withPlainNames(text, names) {
  return names.reduce((rest, { hashed, plain }) => rest.replaceAll(hashed, plain), text);
}

/**
 * Next generates keys at each build, for preview mode and server functions, neither of which we use. In an image or a package,
 * everybody could read them.
 */
function withoutKeys(text) {
  return text.replaceAll(KEYS, (_, before, key) => before + "0".repeat(key.length));
}

const KEYS =
  /(\\?"(?:previewModeId|previewModeSigningKey|previewModeEncryptionKey|encryptionKey)\\?":\s*\\?")([\w+/=]{32,})/g;

/** Links are not followed. */
function filesBelow(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const entry = lstatSync(path);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
