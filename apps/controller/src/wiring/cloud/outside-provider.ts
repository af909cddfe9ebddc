import type { Clock } from "@cloudwright/core/model/time";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";
import {
  isProviderError,
  type Provider,
  type ProviderConfig,
  ProviderError,
} from "@cloudwright/provider-api";
import type { LeaseFence, ObjectSource } from "@cloudwright/provider-grpc/connection";
import { connectTo } from "@cloudwright/provider-grpc/connection/connect";
import { createGrpcProvider } from "@cloudwright/provider-grpc/grpc-provider";
import type { GrpcProviderConfig } from "@cloudwright/provider-grpc/session";
import { pause } from "@cloudwright/provider-grpc/supervision/clock";
import type { LogLine } from "@cloudwright/provider-grpc/supervision/log-line";
import { startProviderProcess } from "@cloudwright/provider-grpc/supervision/provider-process";
import type { ProviderSource } from "@cloudwright/provider-grpc/supervision/provider-source";
import { followSidecar } from "@cloudwright/provider-grpc/supervision/sidecar";
import type { FlagValues } from "../../flags/definitions/all.ts";
import type { Log } from "../../logging/log.ts";
import { USER_AGENT } from "../../version.ts";
import type { ProcessContext } from "../process-context.ts";

export type OutsideContext = Pick<ProcessContext, "flags" | "log" | "clock" | "random">;

/** Starts a provider's executable, or follows the sidecar that `--cloud-provider-socket` names. Does not wait for it. */
export function startSource(
  context: OutsideContext,
  executable: string | undefined,
): ProviderSource {
  const { flags, log, clock, random } = context;
  const shared = {
    ...{ clock, random, connect: connectTo, userAgent: USER_AGENT },
    onStatus: ({ isUp, sentence }: { readonly isUp: boolean; readonly sentence: string }) =>
      log[isUp ? "info" : "warn"]({}, withoutSecrets(sentence)),
  };
  if (executable === undefined) {
    const { "cloud-provider-socket": socket, "cloud-provider-socket-owner": owner } = flags;
    return followSidecar({ ...shared, socket, owner });
  }
  return startProviderProcess({
    ...shared,
    executable,
    environment: process.env,
    verbosity: flags.v,
    onLine: (line) => logLine(log, flags["cloud-provider"], line),
  });
}

/** A provider's log lines, field names included, may contain anything. */
function logLine(log: Log, provider: string, { level, message, fields }: LogLine): void {
  if (!log.isLevelEnabled(level)) return;
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? withoutSecrets(value) : value,
  ]);
  log[level]({ ...Object.fromEntries(shown), provider }, withoutSecrets(message));
}

/** Flags that upstream passes to a provider as well, besides those with a field of their own. */
const SETTINGS = [
  "allocate-node-cidrs",
  "configure-cloud-routes",
  "node-cidr-mask-size",
  "node-cidr-mask-size-ipv4",
  "node-cidr-mask-size-ipv6",
] as const;

/** Returns the provider's initial configuration. */
export function outsideConfig(
  flags: FlagValues,
  { text, warn }: ProviderConfig,
): GrpcProviderConfig {
  return {
    cloudConfig: text,
    clusterName: flags["cluster-name"],
    clusterCidrs: flags["cluster-cidr"],
    settings: Object.fromEntries(SETTINGS.map((name) => [name, String(flags[name])])),
    ...(warn === undefined ? {} : { warn }),
  };
}

export interface OpenOptions {
  readonly source: ProviderSource;
  readonly config: GrpcProviderConfig;
  readonly objects: ObjectSource;
  readonly fence: LeaseFence;
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;
const KEEP_ALIVE_MS = 60_000;

/**
 * Returns the provider at the other end, once it responds; its `close` ends the process as well. Throws ProviderError if it
 * refuses the configuration, and ProviderError `Unavailable`, with the reason why it does not respond, when the signal aborts.
 */
export async function openProvider(options: OpenOptions): Promise<Provider> {
  const { source, clock, signal } = options;
  // Between two attempts nothing else may keep a command's process alive.
  const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
  try {
    while (!signal.aborted) {
      await answering(source, signal);
      const provider = await attempt(options);
      if (provider !== undefined) return provider;
      await pause(clock, RETRY_MS, signal);
    }
    throw unanswered(source);
  } finally {
    clearInterval(keepAlive);
  }
}

/** Returns undefined if it did not respond, which may be temporary. */
async function attempt(options: OpenOptions): Promise<Provider | undefined> {
  const { source, signal } = options;
  if (signal.aborted) return undefined;
  try {
    const provider = await createGrpcProvider(options);
    return {
      ...provider,
      close: async () => {
        await provider.close?.();
        await source.close();
      },
    };
  } catch (error) {
    if (isProviderError(error) && PASSING.has(error.code)) return undefined;
    throw error;
  }
}

const PASSING: ReadonlySet<string> = new Set(["Unavailable", "TimedOut"]);

async function answering(source: ProviderSource, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !isProviderError(source.current())) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      unsubscribe();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const unsubscribe = source.onConnected(end);
    signal.addEventListener("abort", end, { once: true });
  });
}

function unanswered(source: ProviderSource): ProviderError {
  const { sentence } = source.status();
  return new ProviderError("Unavailable", sentence, { provider: "process", operation: "connect" });
}
