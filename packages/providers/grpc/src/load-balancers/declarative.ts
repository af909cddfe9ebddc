import {
  type CallContext,
  type CloudChange,
  isProviderError,
  type LoadBalancerObservation,
  type LoadBalancerOwner,
  type LoadBalancerPlan,
  type LoadBalancerPlanInput,
  type LoadBalancers,
  ProviderError,
} from "@cloudwright/provider-api";
import { checkCount } from "../answer-bounds.ts";
import type { Bridge } from "../bridge.ts";
import { errorOfFailure } from "../connection/failures.ts";
import {
  type LoadBalancerAbilities,
  type LoadBalancerObservation as ObservationMessage,
  Provider,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import { failuresOf } from "../lookups.ts";
import { abilitiesOf } from "./answers.ts";
import { GatheredPlans } from "./gathered-plans.ts";
import { listOwned } from "./owned.ts";
import { changeMessage } from "./plans.ts";
import {
  type NamedObjects,
  NO_OBJECTS,
  ownerMessage,
  specMessage,
  statusMessage,
} from "./requests.ts";

const OPERATION = "ObserveLoadBalancers";

/** Creates load balancers of a process that makes its own plans. Its observations are kept as opaque text that only the process reads. */
export function createDeclaredLoadBalancers(
  bridge: Bridge,
  abilities: LoadBalancerAbilities,
): LoadBalancers<string> {
  const named = abilities.needsObjects
    ? (input: Objects) => objectsOf(bridge, input)
    : () => NO_OBJECTS;
  const plans = new GatheredPlans(bridge);
  return {
    abilities: abilitiesOf(abilities),
    observe: (owners, context) => observe({ bridge, named, context }, owners),
    plan: (input) => plan(plans, named(input), input),
    apply: (change, context) => apply(bridge, change, context),
    owned: (clusterUid, context) => listOwned(bridge, clusterUid, context),
  };
}

type Objects = Pick<LoadBalancerPlanInput<string>, "owner"> &
  Partial<Pick<LoadBalancerPlanInput<string>, "spec">>;

function objectsOf({ objects }: Bridge, { owner, spec }: Objects): NamedObjects {
  const nodes = (spec?.members ?? []).map(({ nodeName }) => objects.node(nodeName));
  return { service: objects.service(owner.objectUid), nodes };
}

interface Observing {
  readonly bridge: Bridge;
  readonly named: (input: Objects) => NamedObjects;
  readonly context: CallContext;
}

type Observation = LoadBalancerObservation<string>;

async function observe(
  observing: Observing,
  owners: readonly LoadBalancerOwner[],
): Promise<ReadonlyMap<string, Observation>> {
  const { bridge, context } = observing;
  context.signal.throwIfAborted();
  if (owners.length === 0) return new Map();
  try {
    const observations = await observeAll(observing, owners);
    checkCount(
      { provider: bridge.provider, operation: OPERATION },
      observations.length,
      owners.length,
    );
    return new Map(
      observations.map((one, index) => [
        owners[index]?.objectUid ?? "",
        observationOf(bridge, one),
      ]),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isProviderError(error)) throw error;
    return new Map(owners.map(({ objectUid }) => [objectUid, { kind: "failed", error }]));
  }
}

async function observeAll(
  { bridge, named, context }: Observing,
  owners: readonly LoadBalancerOwner[],
): Promise<readonly ObservationMessage[]> {
  const [first] = owners;
  const isAlone = owners.length === 1 && first !== undefined;
  const services = owners.map((owner) => named({ owner }));
  const { observations } = await bridge.read(context, {
    method: Provider.method.observeLoadBalancers,
    target: isAlone ? `${first.namespace}/${first.name}` : `${owners.length} load balancers`,
    objects: services.map(({ service }) => service),
    request: (refOf) => ({
      owners: owners.map((owner, index) =>
        ownerMessage(owner, services[index] ?? NO_OBJECTS, refOf),
      ),
    }),
    calls: ({ calls }) => calls,
    failures: ({ observations }) =>
      failuresOf(
        { provider: bridge.provider, operation: OPERATION },
        observations.map(({ result }) => (result.case === "failed" ? result.value : undefined)),
      ),
  });
  return observations;
}

function observationOf(
  { provider }: Bridge,
  { result, requestId }: ObservationMessage,
): Observation {
  const call = { provider, operation: OPERATION };
  if (result.case === "failed") {
    return { kind: "failed", error: errorOfFailure(result.value, call) };
  }
  if (result.case === "observedJson") {
    const named = requestId === "" ? {} : { requestId };
    return { kind: "known", observed: result.value, ...named };
  }
  const message = `The provider process ${provider} gave an answer that this release does not understand: report this to its author.`;
  return { kind: "failed", error: new ProviderError("Unavailable", message, call) };
}

function plan(
  plans: GatheredPlans,
  objects: NamedObjects,
  input: LoadBalancerPlanInput<string>,
): Promise<LoadBalancerPlan> {
  const { owner, spec, observed, published, everything = false, consent, proven } = input;
  return plans.plan({
    objects: [objects.service, ...objects.nodes],
    message: (refOf) => ({
      owner: ownerMessage(owner, objects, refOf),
      ...(spec === undefined ? {} : { spec: specMessage(spec, objects, refOf) }),
      observedJson: observed,
      published: statusMessage(published),
      everything,
      ...(consent === undefined ? {} : { consent }),
      ...(proven === undefined ? {} : { proven }),
    }),
  });
}

async function apply(
  bridge: Bridge,
  change: CloudChange,
  context: CallContext,
): Promise<string | undefined> {
  const { observedJson } = await bridge.change(context, {
    method: Provider.method.applyLoadBalancerChange,
    target: change.target,
    request: (_refOf, fence) => ({ fence, change: changeMessage(change) }),
    calls: ({ calls }) => calls,
  });
  return observedJson;
}
