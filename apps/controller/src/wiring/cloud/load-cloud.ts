import { boundedError } from "@cloudwright/core/cloud/calls/provider-reason";
import { loadProvider } from "@cloudwright/core/cloud/load-provider";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";
import { isProviderError, type Provider, type ProviderPlugin } from "@cloudwright/provider-api";
import type { FlagValues } from "../../flags/definitions/all.ts";
import type { Log } from "../../logging/log.ts";
import { errorFields, PlainError, readNamedFile } from "../../plain-error.ts";
import { USER_AGENT } from "../../version.ts";
import { isIdentified } from "../cluster/cluster-identity.ts";
import type { ControllerContext } from "../controllers/started-controller.ts";

/** Upstream's exit code for a provider that cannot be used (spec/00 §16). */
const UNUSABLE = 255;
/** A config that is wrong is a mistake on the command line, as a wrong flag is. */
const BAD_CONFIG = 1;

/** Providers that come with this command; each is loaded only when it is asked for. */
const BUILT_IN: ReadonlyMap<string, () => Promise<ProviderPlugin>> = new Map([
  ["openstack", async () => (await import("@cloudwright/provider-openstack/plugin")).plugin],
  ["sandbox", async () => (await import("@cloudwright/provider-sandbox/plugin")).plugin],
]);

/**
 * The provider that the flags name, with its config read. Throws PlainError: with exit code 1 for a config
 * that cannot be read or used, with 255 for no such provider, or a config that names no cluster without
 * `--allow-untagged-cloud` (spec/60 §6).
 */
export async function loadCloud(flags: FlagValues, log: Log): Promise<Provider> {
  const config = flags["cloud-config"];
  const text = config === "" ? undefined : readNamedFile("--cloud-config", config);
  const provider = await load(flags, { text, log });
  if (provider.hasClusterId) return provider;
  if (!flags["allow-untagged-cloud"]) {
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

async function load(
  flags: FlagValues,
  { text, log }: { readonly text: string | undefined; readonly log: Log },
): Promise<Provider> {
  try {
    return await loadProvider({
      name: flags["cloud-provider"],
      config: {
        text,
        path: text === undefined ? undefined : flags["cloud-config"],
        userAgent: USER_AGENT,
        warn: (message) => log.warn({ provider: flags["cloud-provider"] }, withoutSecrets(message)),
      },
      builtIn: BUILT_IN,
      providerPath: flags["provider-path"] === "" ? process.cwd() : flags["provider-path"],
    });
  } catch (cause) {
    if (!(cause instanceof Error && cause.name === "ProviderLoadError")) throw cause;
    const refused = "kind" in cause && cause.kind === "failed";
    throw new PlainError(cause.message, { cause, exitCode: refused ? BAD_CONFIG : UNUSABLE });
  }
}

/**
 * Lets the provider begin, also while the cluster's identity is unknown, as nodes are served without it. False for one that
 * cannot begin then: it is called again once the identity is known. Throws what a provider throws that has it.
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

/** What the provider throws goes to the log: without what looks like a secret. */
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
