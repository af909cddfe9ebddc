import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CloudChange,
  type EnsureStyle,
  isNodeAddress,
  type LoadBalancerOwner,
  type LoadBalancerPlan,
  type LoadBalancerSpec,
  type LoadBalancerStatus,
  type LoadBalancers,
  type OwnedLoadBalancer,
} from "@cloudwright/provider-api";
import {
  LoadBalancerAction,
  type LoadBalancerChange,
  type LoadBalancerNextSchema,
  type LoadBalancerPlanSchema,
  type LoadBalancerStatusSchema,
  type OwnedLoadBalancerSchema,
  type LoadBalancerOwner as OwnerMessage,
  type LoadBalancerSpec as SpecMessage,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import { statusOf } from "../load-balancers/answers.ts";
import { ipFamiliesOf, protocolsOf } from "../wording.ts";
import type { Handlers } from "./contract-server.ts";
import { failureMessage } from "./failure-message.ts";
import { servedContext } from "./served-context.ts";

/** Returns the handlers of a process that serves these load balancers in the declarative style. */
export function declaredHandlers(loadBalancers: LoadBalancers): Handlers {
  return {
    observeLoadBalancers: async ({ owners }, signal) => {
      const { context, calls } = servedContext(signal);
      const answers = await loadBalancers.observe(owners.map(ownerOf), context);
      const observations = owners.map(({ objectUid }) => {
        const answer = answers.get(objectUid);
        if (answer?.kind === "failed") {
          return { result: { case: "failed" as const, value: failureMessage(answer.error) } };
        }
        const value = JSON.stringify(answer?.observed);
        return { result: { case: "observedJson" as const, value } };
      });
      return { observations, calls };
    },
    planLoadBalancers: async ({ inputs }) => {
      const plans = inputs.map(async ({ owner, spec, observedJson, everything, published }) =>
        loadBalancers.plan({
          owner: ownerOf(owner),
          spec: spec === undefined ? undefined : specOf(spec),
          observed: JSON.parse(observedJson),
          published: published === undefined ? { ingress: [] } : statusOf(published),
          everything,
        }),
      );
      return { plans: (await Promise.all(plans)).map(planMessage) };
    },
    applyLoadBalancerChange: async ({ change }, signal) => {
      const { context, calls } = servedContext(signal);
      if (change === undefined) return { calls };
      const observed = await loadBalancers.apply(changeOf(change), context);
      return observed === undefined ? { calls } : { observedJson: JSON.stringify(observed), calls };
    },
    listOwnedLoadBalancers: async ({ clusterUid }, signal) => {
      const { context, calls } = servedContext(signal);
      const owned = await loadBalancers.owned(clusterUid, context);
      return { loadBalancers: owned.map(ownedMessage), calls };
    },
  };
}

/** Returns the handlers of a process that serves these load balancers in the style of upstream's interface. */
export function ensuredHandlers(style: EnsureStyle): Handlers {
  return {
    getLoadBalancer: async ({ owner }, signal) => {
      const { context, calls } = servedContext(signal);
      const status = await style.get(ownerOf(owner), context);
      const found = status === undefined ? {} : { status: statusMessage(status) };
      return { ...found, name: style.name(ownerOf(owner)), calls };
    },
    ensureLoadBalancer: async ({ spec }, signal) => {
      const { context, calls } = servedContext(signal);
      const answer = await style.ensure(specOf(spec), context);
      if (answer === "elsewhere") return { result: { case: "elsewhere", value: {} }, calls };
      return { result: { case: "status", value: statusMessage(answer) }, calls };
    },
    updateLoadBalancerMembers: async ({ spec }, signal) => {
      const { context, calls } = servedContext(signal);
      await style.updateMembers(specOf(spec), context);
      return { calls };
    },
    deleteLoadBalancer: async ({ owner }, signal) => {
      const { context, calls } = servedContext(signal);
      await style.remove(ownerOf(owner), context);
      return { calls };
    },
    listOwnedLoadBalancers: async ({ clusterUid }, signal) => {
      const { context, calls } = servedContext(signal);
      const owned = (await style.owned?.(clusterUid, context)) ?? [];
      return { loadBalancers: owned.map(ownedMessage), calls };
    },
  };
}

function ownerOf(message: OwnerMessage | undefined): LoadBalancerOwner {
  const { clusterUid = "", objectUid = "", namespace = "", name = "" } = message ?? {};
  return { clusterUid, objectUid, namespace, name, clusterName: message?.clusterName ?? "" };
}

function specOf(message: SpecMessage | undefined): LoadBalancerSpec {
  if (message === undefined) throw new Error("there is no specification");
  const { owner, internal, listeners, members, sourceRanges, families, healthCheck } = message;
  return {
    owner: ownerOf(owner),
    internal,
    listeners: listeners.map(({ name, protocol, port, nodePort }) => ({
      ...{ name, port, nodePort },
      protocol: protocolsOf([protocol])[0] ?? "TCP",
    })),
    members: members.map(({ nodeName, providerId, addresses }) => ({
      nodeName,
      providerID: providerId,
      addresses: addresses.map(({ type, address }) => ({ type, address })).filter(isNodeAddress),
    })),
    sourceRanges,
    healthCheck: { protocol: "TCP", port: healthCheck?.port ?? 0 },
    affinity: { kind: "none" },
    families: ipFamiliesOf(families),
    annotations: owner?.annotations ?? {},
  };
}

function changeOf({ action, what, target, requestJson }: LoadBalancerChange): CloudChange {
  const name = ACTIONS.find(([, one]) => one === action)?.[0] ?? "update";
  const request = JSON.parse(requestJson);
  return { action: name, what, target, before: null, after: null, request };
}

const ACTIONS: readonly [CloudChange["action"], LoadBalancerAction][] = [
  ["create", LoadBalancerAction.CREATE],
  ["adopt", LoadBalancerAction.ADOPT],
  ["update", LoadBalancerAction.UPDATE],
  ["members", LoadBalancerAction.MEMBERS],
  ["delete", LoadBalancerAction.DELETE],
];

function planMessage(plan: LoadBalancerPlan): MessageInitShape<typeof LoadBalancerPlanSchema> {
  const { changes, next, status, actual, aspects, members } = plan;
  return {
    changes: changes.map(({ action, what, target, before, after, request }) => ({
      action: ACTIONS.find(([name]) => name === action)?.[1] ?? LoadBalancerAction.UNSPECIFIED,
      ...{ what, target },
      beforeJson: JSON.stringify(before),
      afterJson: JSON.stringify(after),
      requestJson: JSON.stringify(request),
    })),
    next: nextMessage(next),
    ...(status === undefined ? {} : { status: statusMessage(status) }),
    ...(actual === undefined ? {} : { actual: factsMessage(actual) }),
    aspects: [...aspects],
    members: { ...members },
  };
}

/** Covers the next steps that an in-memory load balancer can have. */
function nextMessage(
  next: LoadBalancerPlan["next"],
): MessageInitShape<typeof LoadBalancerNextSchema> {
  if (next.kind === "settled" || next.kind === "elsewhere") {
    return { kind: { case: next.kind, value: {} } };
  }
  throw new Error(`${next.kind} is not played`);
}

function statusMessage({
  ingress,
}: LoadBalancerStatus): MessageInitShape<typeof LoadBalancerStatusSchema> {
  return {
    ingress: ingress.map(({ ip, hostname }) => ({
      ...(ip === undefined ? {} : { ip }),
      ...(hostname === undefined ? {} : { hostname }),
    })),
  };
}

function factsMessage({ createdAt: _at, ...facts }: NonNullable<LoadBalancerPlan["actual"]>) {
  return { ...facts, addresses: [...facts.addresses], parts: [...facts.parts] };
}

function ownedMessage({
  owner,
  facts,
}: OwnedLoadBalancer): MessageInitShape<typeof OwnedLoadBalancerSchema> {
  return { ...owner, facts: factsMessage(facts) };
}
