import { boundedError } from "@cloudwright/core/cloud/calls/provider-reason";
import { findProvider } from "@cloudwright/core/cloud/load-provider";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";
import {
  isProviderError,
  type Provider,
  type ProviderConfig,
  type ProviderPlugin,
} from "@cloudwright/provider-api";
import { findExecutable } from "@cloudwright/provider-grpc/supervision/find-executable";
import type { ProviderSource } from "@cloudwright/provider-grpc/supervision/provider-source";
import type { FlagValues } from "../../flags/definitions/all.ts";
import type { Log } from "../../logging/log.ts";
import { errorFields, PlainError, readNamedFile } from "../../plain-error.ts";
import { USER_AGENT } from "../../version.ts";
import { isIdentified } from "../cluster/cluster-identity.ts";
import type { ControllerContext } from "../controllers/started-controller.ts";
import type { OpenOptions, OutsideContext } from "./outside-provider.ts";

/** Upstream's exit code for a provider that cannot be used (spec/00 §16). */
const UNUSABLE = 255;
/** An invalid config is a mistake on the command line, like an invalid flag. */
const BAD_CONFIG = 1;

/** Providers that come with this command; each is loaded only if it is used. */
const BUILT_IN: ReadonlyMap<string, () => Promise<ProviderPlugin>> = new Map([
  ["openstack", async () => (await import("@cloudwright/provider-openstack/plugin")).plugin],
  ["sandbox", async () => (await import("@cloudwright/provider-sandbox/plugin")).plugin],
]);

/** What a provider in another process is shown of ours. */
export type Shown = Pick<OpenOptions, "objects" | "fence">;

/** The provider that the flags name, which may still be starting. */
export interface StartedCloud {
  /** The provider's process or sidecar; undefined for a provider in this process. */
  readonly source: ProviderSource | undefined;
  /** Undefined until the provider has responded from its process. */
  readonly loaded: Provider | undefined;
  /**
   * Waits for the provider. Throws PlainError like `startCloud`, and with the reason why it does not respond when the signal
   * aborts; its process has ended then.
   */
  provider(signal: AbortSignal): Promise<Provider>;
}

/**
 * Loads the provider that the flags name, or starts its process, with its config read. Throws PlainError: with exit code 1 for a
 * config that cannot be read or used, with 255 for an unknown provider, or a config that names no cluster without
 * `--allow-untagged-cloud` (spec/60 §6).
 */
export async function startCloud(context: OutsideContext, shown: Shown): Promise<StartedCloud> {
  const { flags, log, clock } = context;
  const config = configOf(context);
  const found = await find(flags, config);
  if (found.kind === "loaded") {
    const provider = checkClusterId(found.provider, flags, log);
    return { source: undefined, loaded: provider, provider: () => Promise.resolve(provider) };
  }
  // Loaded only when needed: gRPC takes memory.
  const { openProvider, outsideConfig, startSource } = await import("./outside-provider.ts");
  const source = startSource(context, found.path);
  const options = { ...shown, source, config: outsideConfig(flags, config), clock };
  const open = async (signal: AbortSignal) => {
    const provider = await orRefused(openProvider({ ...options, signal }));
    return checkClusterId(provider, flags, log);
  };
  return {
    ...{ source, loaded: undefined },
    provider: (signal) =>
      open(signal).catch(async (error: unknown) => {
        await source.close();
        throw error;
      }),
  };
}

/** How long a command waits for a provider in another process. */
const ANSWER_LIMIT_MS = 30_000;

/** Like `startCloud`, but for a command: waits for the provider as long as a user at a terminal would. */
export async function loadCloud(context: OutsideContext, shown: Shown): Promise<Provider> {
  const { loaded, provider } = await startCloud(context, shown);
  return loaded ?? (await provider(AbortSignal.timeout(ANSWER_LIMIT_MS)));
}

function configOf({ flags, log }: OutsideContext): ProviderConfig {
  const path = flags["cloud-config"];
  const text = path === "" ? undefined : readNamedFile("--cloud-config", path);
  return {
    text,
    path: text === undefined ? undefined : path,
    userAgent: USER_AGENT,
    warn: (message) => log.warn({ provider: flags["cloud-provider"] }, withoutSecrets(message)),
  };
}

function checkClusterId(provider: Provider, flags: FlagValues, log: Log): Provider {
  if (provider.hasClusterId) return provider;
  if (!flags["allow-untagged-cloud"]) {
    const config = flags["cloud-config"];
    throw new PlainError(
      `The configuration of provider ${flags["cloud-provider"]} names no cluster: add the cluster id to ${config === "" ? "a --cloud-config file" : config}, or accept the risk with --allow-untagged-cloud.`,
      { exitCode: UNUSABLE },
    );
  }
  log.warn(
    {},
    "The cloud's configuration names no cluster; running anyway because of --allow-untagged-cloud",
  );
  return provider;
}

type Found =
  | { readonly kind: "loaded"; readonly provider: Provider }
  /** `path` is undefined for a sidecar. */
  | { readonly kind: "outside"; readonly path: string | undefined };

async function find(flags: FlagValues, config: ProviderConfig): Promise<Found> {
  if (flags["cloud-provider-socket"] !== "") return { kind: "outside", path: undefined };
  const folder = flags["provider-path"] === "" ? process.cwd() : flags["provider-path"];
  const where = { folder, path: process.env.PATH ?? "" };
  try {
    const found = await findProvider({
      ...{ name: flags["cloud-provider"], config, builtIn: BUILT_IN, providerPath: folder },
      findExecutable: (name) => findExecutable(name, where),
    });
    return found.kind === "loaded" ? found : { kind: "outside", path: found.path };
  } catch (error) {
    throw loadFailure(error);
  }
}

function loadFailure(cause: unknown): unknown {
  if (!(cause instanceof Error && cause.name === "ProviderLoadError")) return cause;
  const refused = "kind" in cause && cause.kind === "failed";
  return new PlainError(cause.message, { cause, exitCode: refused ? BAD_CONFIG : UNUSABLE });
}

async function orRefused(opening: Promise<Provider>): Promise<Provider> {
  try {
    return await opening;
  } catch (cause) {
    if (!isProviderError(cause)) throw cause;
    throw new PlainError(`The provider cannot be used: ${withoutSecrets(cause.message)}`, {
      cause,
      exitCode: BAD_CONFIG,
    });
  }
}

/**
 * Initialises the provider, even while the cluster's identity is unknown, as nodes are served without it. Returns false for a
 * provider that needs the identity: it is called again once that is known. Throws the provider's error if the identity was known.
 */
export async function initialise(
  {
    processContext,
    cloud,
    clusterUid,
  }: Pick<ControllerContext, "processContext" | "cloud" | "clusterUid">,
  signal: AbortSignal,
): Promise<boolean> {
  const { provider } = cloud;
  if (isIdentified(clusterUid)) {
    await begin(provider, { clusterUid, signal });
    return true;
  }
  try {
    await begin(provider, { clusterUid: undefined, signal });
    return true;
  } catch (error) {
    processContext.log.warn(
      { provider: provider.name, ...errorFields(error) },
      "The provider could not start because the cluster's identity is unknown, so nothing is done in the cloud. Grant get on the namespace kube-system",
    );
    return false;
  }
}

/** The provider's error goes to the log, without what looks like a secret. */
async function begin(
  provider: Provider,
  context: { readonly clusterUid: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await provider.initialize?.(context);
  } catch (error) {
    throw isProviderError(error) ? boundedError(error) : error;
  }
}

/** Logs what the configuration names but the cloud does not have. Does not delay the work: the rest of the configuration is used. */
export async function reportConfigProblems(
  { processContext: { log }, cloud }: Pick<ControllerContext, "processContext" | "cloud">,
  signal: AbortSignal,
): Promise<void> {
  const provider = cloud.provider.name;
  try {
    for (const { option, message } of (await cloud.checkConfig?.(signal)) ?? [])
      log.warn({ provider, option }, withoutSecrets(message));
  } catch (error) {
    if (signal.aborted) return;
    log.warn(
      { provider, ...errorFields(error) },
      "The configuration could not be compared with the cloud",
    );
  }
}
