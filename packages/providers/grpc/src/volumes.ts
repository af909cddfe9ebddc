import {
  type CallContext,
  isProviderError,
  ProviderError,
  type VolumeFacts,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import { checkCount } from "./answer-bounds.ts";
import type { Bridge } from "./bridge.ts";
import { errorOfFailure } from "./connection/failures.ts";
import {
  Provider,
  type VolumeAbilities,
  type VolumeLookup as VolumeLookupMessage,
  type VolumeFacts as VolumeMessage,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { failuresOf, timeOf } from "./lookups.ts";

/** The maximum number of disk sources that are remembered for a provider that asks for them. */
const MOST_SOURCES = 50_000;

/** Creates volumes whose disks the process looks up. */
export function createVolumes(bridge: Bridge, abilities: VolumeAbilities): Volumes {
  const sources = new Map<string, Uint8Array>();
  const volumes: Volumes = {
    identify: (spec) => {
      const id = idIn(abilities, spec);
      if (id !== undefined && abilities.needsSource) remember(sources, id, spec);
      return id;
    },
    describe: async (ids, context) => {
      context.signal.throwIfAborted();
      if (ids.length === 0) return new Map();
      const lookups = await lookUp({ bridge, sources, context }, ids);
      return new Map(ids.map((id, index) => [id, lookups[index] ?? missing(bridge)]));
    },
  };
  if (!abilities.grows) return volumes;
  return { ...volumes, grow: (id, sizeGiB, context) => grow(bridge, { id, sizeGiB }, context) };
}

function idIn(
  { sources }: VolumeAbilities,
  spec: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const { key, idField } of sources) {
    const source = spec[key];
    if (typeof source !== "object" || source === null) continue;
    const id: unknown = Reflect.get(source, idField);
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}

function remember(
  sources: Map<string, Uint8Array>,
  id: string,
  spec: Readonly<Record<string, unknown>>,
): void {
  if (sources.has(id)) return;
  const [oldest] = sources.keys();
  if (sources.size >= MOST_SOURCES && oldest !== undefined) sources.delete(oldest);
  const source = { apiVersion: "v1", kind: "PersistentVolume", metadata: {}, spec };
  sources.set(id, new TextEncoder().encode(JSON.stringify(source)));
}

interface Question {
  readonly bridge: Bridge;
  readonly sources: ReadonlyMap<string, Uint8Array>;
  readonly context: CallContext;
}

async function lookUp(
  { bridge, sources, context }: Question,
  ids: readonly string[],
): Promise<readonly VolumeLookup[]> {
  const call = { provider: bridge.provider, operation: "DescribeVolumes" };
  try {
    const { lookups } = await bridge.read(context, {
      method: Provider.method.describeVolumes,
      target: ids.length === 1 ? (ids[0] ?? "") : `${ids.length} volumes`,
      request: () => ({
        refs: ids.map((id) => ({ id, sourceJson: sources.get(id) ?? new Uint8Array() })),
      }),
      calls: ({ calls }) => calls,
      failures: ({ lookups }) =>
        failuresOf(
          call,
          lookups.map(({ result }) => (result.case === "failed" ? result.value : undefined)),
        ),
    });
    checkCount(call, lookups.length, ids.length);
    return lookups.map((lookup) => lookupOf(bridge, lookup));
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isProviderError(error)) throw error;
    return ids.map(() => ({ kind: "failed", error }));
  }
}

function lookupOf(bridge: Bridge, { result }: VolumeLookupMessage): VolumeLookup {
  const { provider } = bridge;
  switch (result.case) {
    case "found": {
      const { requestId } = result.value;
      return { kind: "found", facts: factsOf(result.value), ...named(requestId) };
    }
    case "absent":
      return { kind: "absent", ...named(result.value.requestId) };
    case "failed": {
      const error = errorOfFailure(result.value, { provider, operation: "DescribeVolumes" });
      return { kind: "failed", error };
    }
    default:
      return missing(bridge);
  }
}

function missing({ provider }: Bridge): VolumeLookup {
  const message = `The provider process ${provider} gave an answer that this release does not understand: report this to its author.`;
  const call = { provider, operation: "DescribeVolumes" };
  return { kind: "failed", error: new ProviderError("Unavailable", message, call) };
}

function named(requestId: string): { readonly requestId?: string } {
  return requestId === "" ? {} : { requestId };
}

function factsOf({
  id,
  zone,
  region,
  additionalLabels,
  sizeGib,
  asOfMs,
}: VolumeMessage): VolumeFacts {
  return { id, zone, region, additionalLabels, sizeGiB: sizeGib, asOf: timeOf(asOfMs) };
}

async function grow(
  bridge: Bridge,
  { id, sizeGiB }: { readonly id: string; readonly sizeGiB: number },
  context: CallContext,
): Promise<VolumeFacts> {
  const { volume } = await bridge.change(context, {
    method: Provider.method.growVolume,
    target: id,
    request: (_refOf, fence) => ({ fence, id, sizeGib: sizeGiB }),
    calls: ({ calls }) => calls,
  });
  if (volume !== undefined) return factsOf(volume);
  const call = { provider: bridge.provider, operation: "GrowVolume", target: id };
  throw new ProviderError("Invalid", "The answer does not mention the volume.", call);
}
