import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type EnsureStyle,
  type Instances,
  instanceKey,
  type LoadBalancers,
  type Lookup,
  type Routes,
  type VolumeLookup,
  type Volumes,
} from "@cloudwright/provider-api";
import {
  AbsenceSubject,
  type CapabilitiesSchema,
  Certainty,
  type InstanceLookupSchema,
  LookupMode,
  PowerState,
  type VolumeLookupSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { Handlers } from "./contract-server.ts";
import { failureMessage } from "./failure-message.ts";
import { servedContext } from "./served-context.ts";
import { declaredHandlers, ensuredHandlers } from "./served-load-balancers.ts";
import { routeHandlers } from "./served-routes.ts";

/** A provider that a process serves. */
export interface Served {
  readonly instances?: Instances;
  readonly declared?: LoadBalancers;
  readonly ensured?: EnsureStyle;
  readonly routes?: Routes;
  readonly volumes?: Volumes;
}

/** Returns the handlers of a process that runs this provider; each answer reports the calls that were made for it. */
export function handlersOf(
  served: Served,
  capabilities: MessageInitShape<typeof CapabilitiesSchema>,
): Handlers {
  const { instances, volumes, declared, ensured, routes } = served;
  return {
    initialize: () => ({ capabilities: { reportsCalls: true, ...capabilities } }),
    syncObjects: () => ({}),
    ...(instances === undefined ? {} : instanceHandlers(instances)),
    ...(volumes === undefined ? {} : volumeHandlers(volumes)),
    ...(declared === undefined ? {} : declaredHandlers(declared)),
    ...(ensured === undefined ? {} : ensuredHandlers(ensured)),
    ...(routes === undefined ? {} : routeHandlers(routes)),
  };
}

function instanceHandlers(instances: Instances): Handlers {
  return {
    describeInstances: async ({ refs, mode }, signal) => {
      const { context, calls } = servedContext(signal);
      const asked = refs.map(({ nodeName, providerId }) => ({ nodeName, providerID: providerId }));
      const options = { mode: mode === LookupMode.SINGLE ? "single" : "batch" } as const;
      const answers = await instances.describe(asked, options, context);
      return { lookups: asked.map((ref) => lookupMessage(answers.get(instanceKey(ref)))), calls };
    },
  };
}

function lookupMessage(lookup: Lookup | undefined): MessageInitShape<typeof InstanceLookupSchema> {
  switch (lookup?.kind) {
    case "found": {
      const { providerID, type, power, asOf, addresses, ...facts } = lookup.facts;
      const value = {
        ...facts,
        ...(providerID === undefined ? {} : { providerId: providerID }),
        instanceType: type,
        addresses: [...addresses],
        power: POWER[power],
        asOfMs: BigInt(asOf),
      };
      return { result: { case: "found", value } };
    }
    case "absent": {
      const { by, cloudShowsOthers, at } = lookup.proof;
      const proof = {
        by: by === "name" ? AbsenceSubject.NAME : AbsenceSubject.PROVIDER_ID,
        cloudShowsOthers: cloudShowsOthers ? Certainty.YES : Certainty.NO,
        atMs: BigInt(at),
      };
      return { result: { case: "absent", value: { proof } } };
    }
    case "notListed":
    case "unclaimed":
    case "foreign":
      return { result: { case: lookup.kind, value: {} } };
    case "malformed":
      return { result: { case: "malformed", value: { expected: lookup.expected } } };
    case "failed":
      return { result: { case: "failed", value: failureMessage(lookup.error) } };
    default:
      return {};
  }
}

const POWER = {
  running: PowerState.RUNNING,
  stopped: PowerState.STOPPED,
  pending: PowerState.PENDING,
} as const;

function volumeHandlers(volumes: Volumes): Handlers {
  return {
    describeVolumes: async ({ refs }, signal) => {
      const { context, calls } = servedContext(signal);
      const ids = refs.map(({ id }) => id);
      const answers = await volumes.describe(ids, context);
      return { lookups: ids.map((id) => volumeMessage(answers.get(id))), calls };
    },
    growVolume: async ({ id, sizeGib }, signal) => {
      const { context, calls } = servedContext(signal);
      const grown = await volumes.grow?.(id, sizeGib, context);
      return { ...(grown === undefined ? {} : { volume: diskMessage(grown) }), calls };
    },
  };
}

function volumeMessage(
  lookup: VolumeLookup | undefined,
): MessageInitShape<typeof VolumeLookupSchema> {
  switch (lookup?.kind) {
    case "found":
      return { result: { case: "found", value: diskMessage(lookup.facts) } };
    case "absent":
      return { result: { case: "absent", value: {} } };
    case "failed":
      return { result: { case: "failed", value: failureMessage(lookup.error) } };
    default:
      return {};
  }
}

function diskMessage({
  sizeGiB,
  asOf,
  ...facts
}: Extract<VolumeLookup, { readonly kind: "found" }>["facts"]) {
  return { ...facts, sizeGib: sizeGiB, asOfMs: BigInt(asOf) };
}
