import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Provider, ProviderConfig, ProviderPlugin } from "@cloudwright/provider-api";
import { z } from "zod";
import { messageOf } from "../model/values/message-of.ts";
import { withoutSecrets } from "../model/values/secrets.ts";

export interface LoadProviderOptions {
  /** What `--cloud-provider` says: a built-in name, the NAME of a package `cloudwright-provider-NAME`, or a path. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly builtIn: ReadonlyMap<string, () => Promise<ProviderPlugin>>;
  /** The folder that packages and relative paths are resolved from (`--provider-path`). */
  readonly providerPath: string;
}

/**
 * The provider of a name: built-in names first, then packages and paths. Makes no cloud call. Throws
 * ProviderLoadError, one sentence, when there is none, it is written for another contract or refuses its config.
 */
export async function loadProvider(options: LoadProviderOptions): Promise<Provider> {
  const plugin = await findPlugin(options);
  const provider = await create(plugin, options);
  const problem = problemOf(provider);
  if (problem === undefined) return provider;
  throw new ProviderLoadError(
    "incompatible",
    `The provider ${options.name} cannot be used: ${problem}; install a version that supports this release.`,
  );
}

async function findPlugin({ name, builtIn, providerPath }: LoadProviderOptions) {
  const load = builtIn.get(name);
  if (load !== undefined) return load();
  const resolve = () => resolveProvider(name, providerPath, [...builtIn.keys()]);
  return checkPlugin(name, await importPlugin(name, resolve));
}

async function importPlugin(name: string, resolve: () => string): Promise<unknown> {
  try {
    const module: unknown = await import(resolve());
    return module;
  } catch (error) {
    if (error instanceof ProviderLoadError) throw error;
    throw new ProviderLoadError(
      "failed",
      `The provider ${name} cannot be loaded: ${safeMessageOf(error)}; fix or reinstall it.`,
      { cause: error },
    );
  }
}

/** The plug-in is the module itself or its export `plugin` or `default`. */
function checkPlugin(name: string, module: unknown): ProviderPlugin {
  const candidates = [module, member(module, "plugin"), member(module, "default")];
  const plugin = candidates.find((candidate) => member(candidate, "apiVersion") !== undefined);
  const version = member(plugin, "apiVersion");
  if (version === undefined) {
    throw incompatible(name, "it exports no `apiVersion`, so it is no Cloudwright provider");
  }
  if (version !== 1) {
    throw incompatible(name, `it is written for API version ${String(version)}, and this is 1`);
  }
  if (!isPlugin(plugin)) throw incompatible(name, "it exports no function `create`");
  return plugin;
}

async function create(plugin: ProviderPlugin, { name, config }: LoadProviderOptions) {
  try {
    return await plugin.create(config);
  } catch (error) {
    const file = config.path === undefined ? "" : ` with ${config.path}`;
    throw new ProviderLoadError(
      "failed",
      `The provider ${name} failed to start${file}: ${safeMessageOf(error)}`,
      { cause: error },
    );
  }
}

function problemOf(provider: unknown): string | undefined {
  const name = member(provider, "name");
  if (typeof name !== "string" || name === "") return "its `create` returned no provider name";
  if (typeof member(provider, "hasClusterId") !== "boolean") return "it has no `hasClusterId`";
  const instances = member(provider, "instances");
  if (instances !== undefined && typeof member(instances, "describe") !== "function") {
    return "its `instances` have no `describe`";
  }
  return undefined;
}

function incompatible(name: string, problem: string): ProviderLoadError {
  return new ProviderLoadError(
    "incompatible",
    `The provider ${name} cannot be used: ${problem}; install a version that supports this release.`,
  );
}

function isPlugin(value: unknown): value is ProviderPlugin {
  return typeof member(value, "create") === "function";
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Reflect.get(value, name);
}

/** A provider may quote its config, or what a library said of it. */
function safeMessageOf(error: unknown): string {
  return withoutSecrets(messageOf(error));
}

/** `unknown`: there is no such provider. `incompatible`: it breaks the contract. `failed`: it threw. */
export type ProviderLoadErrorKind = "unknown" | "incompatible" | "failed";

/** Why a provider could not be had, as one sentence for the operator. */
export class ProviderLoadError extends Error {
  override readonly name = "ProviderLoadError";
  readonly kind: ProviderLoadErrorKind;

  constructor(kind: ProviderLoadErrorKind, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * The URL to import for a provider that is not built in: a file or folder when the name is a path, else the package
 * `cloudwright-provider-NAME` as seen from `providerPath`. Throws ProviderLoadError `unknown` naming what was tried.
 */
function resolveProvider(name: string, providerPath: string, builtIn: readonly string[]): string {
  const file = isPath(name)
    ? entryOf(resolve(providerPath, name))
    : fromPackage(`cloudwright-provider-${name}`, resolve(providerPath));
  if (file !== undefined) return pathToFileURL(file).href;
  const tried = isPath(name)
    ? `${resolve(providerPath, name)} does not exist or has no entry file`
    : `no package cloudwright-provider-${name} is installed in or above ${resolve(providerPath)}`;
  throw new ProviderLoadError(
    "unknown",
    `Unknown cloud provider ${name}: ${tried}; built in are ${builtIn.join(", ")}, for others install the package or set --provider-path.`,
  );
}

function isPath(name: string): boolean {
  return isAbsolute(name) || name.startsWith(".") || name.includes("/") || name.includes(sep);
}

function fromPackage(packageName: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, "from-here.js")).resolve(packageName);
  } catch {
    // `require` sees no package that is offered to `import` alone: read its manifest instead.
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
/** What of a manifest's `exports` leads to the root module as `import` sees it. */
const WAYS_IN = [".", "node", "import", "default"];

function exportedEntry(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  const parsed = conditions.safeParse(exports);
  if (!parsed.success) return undefined;
  return WAYS_IN.map((way) => exportedEntry(parsed.data[way])).find((entry) => entry !== undefined);
}
