import {
  type CallContext,
  type DescribeOptions,
  type InstanceRef,
  type Instances,
  instanceKey,
  isProviderError,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import type { Bridge } from "./bridge.ts";
import {
  type DescribeInstancesResponse,
  type InstanceAbilities,
  LookupMode,
  Provider,
} from "./generated/cloudwright/provider/v1/provider_pb.js";
import { failuresOf, lookupsOf } from "./lookups.ts";

/** Creates instances that the process looks up, with one request for all that are asked for together. */
export function createInstances(bridge: Bridge, abilities: InstanceAbilities): Instances {
  return {
    describe: async (refs, options, context) => {
      context.signal.throwIfAborted();
      const known = new Map<string, Lookup>();
      const asked = refs.filter((ref) => {
        if (isOfProcess(bridge, ref)) return true;
        known.set(instanceKey(ref), { kind: "foreign" });
        return false;
      });
      if (asked.length === 0) return known;
      const lookups = await lookUp({ bridge, abilities, options, context }, asked);
      for (const [index, ref] of asked.entries()) {
        known.set(instanceKey(ref), lookups[index] ?? { kind: "failed", error: short(bridge) });
      }
      return known;
    },
  };
}

interface Question {
  readonly bridge: Bridge;
  readonly abilities: InstanceAbilities;
  readonly options: DescribeOptions;
  readonly context: CallContext;
}

/** A provider ID with another scheme belongs to another cloud; the process parses one without a scheme itself. */
function isOfProcess({ provider }: Bridge, { providerID }: InstanceRef): boolean {
  if (providerID === undefined) return true;
  const end = providerID.indexOf("://");
  return end === -1 || providerID.slice(0, end) === provider;
}

async function lookUp(
  question: Question,
  refs: readonly InstanceRef[],
): Promise<readonly Lookup[]> {
  const { context } = question;
  try {
    return lookupsOf(question.bridge.provider, await describe(question, refs), refs.length);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isProviderError(error)) throw error;
    return refs.map(() => ({ kind: "failed", error }));
  }
}

async function describe(
  { bridge, abilities, options, context }: Question,
  refs: readonly InstanceRef[],
): Promise<DescribeInstancesResponse> {
  const nodes = refs.map(({ nodeName }) =>
    abilities.needsNodes ? bridge.objects.node(nodeName) : undefined,
  );
  return await bridge.read(context, {
    method: Provider.method.describeInstances,
    target: refs.length === 1 ? (refs[0]?.nodeName ?? "") : `${refs.length} instances`,
    objects: nodes,
    request: (refOf) => ({
      mode: options.mode === "single" ? LookupMode.SINGLE : LookupMode.BATCH,
      refs: refs.map(({ nodeName, providerID }, index) => {
        const node = refOf(nodes[index]);
        return {
          nodeName,
          ...(providerID === undefined ? {} : { providerId: providerID }),
          ...(node === undefined ? {} : { node }),
        };
      }),
    }),
    calls: ({ calls }) => calls,
    failures: ({ lookups }) => {
      const call = { provider: bridge.provider, operation: "DescribeInstances" };
      return failuresOf(
        call,
        lookups.map(({ result }) => (result.case === "failed" ? result.value : undefined)),
      );
    },
  });
}

function short({ provider }: Bridge): ProviderError {
  const call = { provider, operation: "DescribeInstances" };
  return new ProviderError("Invalid", "The provider process answered too few lookups.", call);
}
