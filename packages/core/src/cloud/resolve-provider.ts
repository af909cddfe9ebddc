import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ProviderLoadError } from "./provider-load-error.ts";

/**
 * Returns the URL to import for a provider that is not built in: a file or folder if the name is a path, else the
 * package `cloudwright-provider-NAME` as resolved from `providerPath`. Throws ProviderLoadError `unknown` with what
 * was tried.
 */
export function resolveProvider(
  name: string,
  providerPath: string,
  builtIn: readonly string[],
): string {
  const file = moduleOf(name, providerPath);
  if (file !== undefined) return pathToFileURL(file).href;
  const folder = resolve(providerPath);
  const tried = isPath(name)
    ? `${resolve(providerPath, name)} does not exist or has no entry file`
    : `no package cloudwright-provider-${name} is installed in or above ${folder}, and no executable of that name is in ${folder} or on the PATH`;
  throw new ProviderLoadError(
    "unknown",
    `Unknown cloud provider ${name}: ${tried}; built in are ${builtIn.join(", ")}, for others install the package or executable, or set --provider-path.`,
  );
}

/** Reports whether a module of the name exists, even if it is broken. */
export function hasModule(name: string, providerPath: string): boolean {
  try {
    return moduleOf(name, providerPath) !== undefined;
  } catch {
    return true;
  }
}

function moduleOf(name: string, providerPath: string): string | undefined {
  return isPath(name)
    ? entryOf(resolve(providerPath, name))
    : fromPackage(`cloudwright-provider-${name}`, resolve(providerPath));
}

export function isPath(name: string): boolean {
  return isAbsolute(name) || name.startsWith(".") || name.includes("/") || name.includes(sep);
}

function fromPackage(packageName: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, "from-here.js")).resolve(packageName);
  } catch {
    // `require` does not find a package that exports only for `import`: its manifest is read
    // instead.
    return entryOf(installedFolder(packageName, folder));
  }
}

function installedFolder(packageName: string, folder: string): string {
  const candidate = join(folder, "node_modules", packageName);
  const parent = dirname(folder);
  return existsSync(candidate) || parent === folder
    ? candidate
    : installedFolder(packageName, parent);
}

function entryOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (statSync(path).isFile()) return path;
  const entry = join(path, manifestEntry(join(path, "package.json")) ?? "index.js");
  return existsSync(entry) ? entry : undefined;
}

const manifest = z.object({ exports: z.unknown().optional(), main: z.string().optional() });

function manifestEntry(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { exports, main } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  return exportedEntry(exports) ?? main;
}

const conditions = z.record(z.string(), z.unknown());
/** The keys in a manifest's `exports` that lead to the root module for `import`. */
const WAYS_IN = [".", "node", "import", "default"];

function exportedEntry(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  const parsed = conditions.safeParse(exports);
  if (!parsed.success) return undefined;
  return WAYS_IN.map((way) => exportedEntry(parsed.data[way])).find((entry) => entry !== undefined);
}
