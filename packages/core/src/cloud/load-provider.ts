import type { Provider, ProviderConfig, ProviderPlugin } from "@cloudwright/provider-api";
import { messageOf } from "../model/values/message-of.ts";
import { withoutSecrets } from "../model/values/secrets.ts";
import { ProviderLoadError } from "./provider-load-error.ts";
import { hasModule, isPath, resolveProvider } from "./resolve-provider.ts";

export interface LoadProviderOptions {
  /** The value of `--cloud-provider`: a built-in name, the NAME of a package `cloudwright-provider-NAME`, or a path. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly builtIn: ReadonlyMap<string, () => Promise<ProviderPlugin>>;
  /** The folder from which packages and relative paths are resolved (`--provider-path`). */
  readonly providerPath: string;
}

export interface FindProviderOptions extends LoadProviderOptions {
  /** Returns the path of the executable `cloudwright-provider-NAME`, undefined if there is none. */
  findExecutable(name: string): string | undefined;
}

/** What a name stands for: a provider in this process, or the path of an executable that runs in a process of its own. */
export type FoundProvider =
  | { readonly kind: "loaded"; readonly provider: Provider }
  | { readonly kind: "executable"; readonly path: string };

/**
 * Works like `loadProvider`, but returns an executable if there is neither a built-in provider nor a package of the name.
 * It starts none.
 */
export async function findProvider(options: FindProviderOptions): Promise<FoundProvider> {
  const { name, builtIn, providerPath } = options;
  const isHere = builtIn.has(name) || isPath(name) || hasModule(name, providerPath);
  const path = isHere ? undefined : options.findExecutable(name);
  if (path !== undefined) return { kind: "executable", path };
  return { kind: "loaded", provider: await loadProvider(options) };
}

/**
 * Returns the provider of a name: built-in names first, then packages and paths. Makes no cloud call. Throws
 * ProviderLoadError, with one sentence, if there is none, or if it was written for another contract or refuses its
 * config.
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
    throw incompatible(name, "it exports no `apiVersion`, so it is not a Cloudwright provider");
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

/** A provider may quote its config, or a library's message about it. */
function safeMessageOf(error: unknown): string {
  return withoutSecrets(messageOf(error));
}
