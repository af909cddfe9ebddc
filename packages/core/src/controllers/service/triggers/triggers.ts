import type { LoadBalancerAbilities } from "@cloudwright/provider-api";
import type { Service } from "../../../kube/client.ts";
import type { Trigger } from "../../../model/run.ts";
import { mostUrgent } from "../../../reconcile/triggers.ts";
import { annotationsOf, isDeleting, uidOf } from "../../objects/object-meta.ts";
import { CLASS_ANNOTATION, hasFinalizer, isOfTypeLoadBalancer } from "../service-object.ts";

/** Nodes came, went or changed: the last observation of the load balancer is enough to see the difference. */
export const NODES_CHANGED = { kind: "change", what: "nodes" } as const satisfies Trigger;

/** Reports whether the last observation of the load balancer, however old, is enough for a run of this trigger. */
export function isContentWithKnown(trigger: Trigger): boolean {
  return (
    trigger.kind === "change" &&
    (trigger.what === NODES_CHANGED.what || trigger.what === OTHER_ANNOTATIONS)
  );
}

/** Returns the trigger to keep when a Service became due twice: the one that requires the closer observation. */
export function closestObservation(earlier: Trigger, later: Trigger): Trigger {
  const urgent = mostUrgent(earlier, later);
  return isContentWithKnown(urgent) && later.kind === "change" ? later : urgent;
}

/** Annotations that the provider does not read: nothing of the load balancer can depend on them. */
export const OTHER_ANNOTATIONS = "other annotations";

/**
 * Returns what changed in a Service that a load balancer may depend on; nothing for other changes (spec/30 §3). In addition to
 * upstream's: deletion, a finalizer that somebody removed (SW-16) or added where there must be none (spec/30 §2), and node ports
 * that are no longer requested if the provider reaches pods without them. Annotations that the provider does not read are kept
 * apart, so that kubectl's bookkeeping costs no call (SW-15).
 */
export function changedFields(
  old: Service,
  service: Service,
  { annotationPrefixes, podTargets = false }: ProviderReads,
): readonly string[] {
  if (uidOf(old) !== uidOf(service)) return ["created anew"];
  const changed = FIELDS.filter(([, read]) => differ(read(old), read(service))).map(
    ([name]) => name,
  );
  return [
    ...changed,
    ...(podTargets ? nodePortsChange(old, service) : []),
    ...finalizerChange(old, service),
    ...annotationChanges(old, service, annotationPrefixes),
  ];
}

/** The parts of a Service that the provider reads. */
export type ProviderReads = Pick<LoadBalancerAbilities, "annotationPrefixes" | "podTargets">;

type Read = (service: Service) => unknown;

const FIELDS: readonly (readonly [string, Read])[] = [
  ["type", isOfTypeLoadBalancer],
  ["deletion", isDeleting],
  ["loadBalancerClass", ({ spec }) => spec?.loadBalancerClass],
  ["loadBalancerSourceRanges", ({ spec }) => spec?.loadBalancerSourceRanges],
  [
    "ports",
    ({ spec }) =>
      (spec?.ports ?? []).map(({ name, protocol, port, nodePort, targetPort, appProtocol }) => [
        name,
        protocol,
        port,
        nodePort,
        targetPort,
        appProtocol,
      ]),
  ],
  ["sessionAffinity", ({ spec }) => [spec?.sessionAffinity, spec?.sessionAffinityConfig]],
  ["loadBalancerIP", ({ spec }) => spec?.loadBalancerIP],
  ["externalIPs", ({ spec }) => spec?.externalIPs ?? []],
  ["externalTrafficPolicy", ({ spec }) => spec?.externalTrafficPolicy],
  ["healthCheckNodePort", ({ spec }) => spec?.healthCheckNodePort],
  // The order cannot change: the primary family is fixed.
  ["ipFamilies", ({ spec }) => spec?.ipFamilies?.length ?? 0],
];

function nodePortsChange(old: Service, service: Service): readonly string[] {
  const read = ({ spec }: Service) => spec?.allocateLoadBalancerNodePorts;
  return differ(read(old), read(service)) ? ["allocateLoadBalancerNodePorts"] : [];
}

/** Its presence is news only on a Service that must not have it: on others it is our own write. */
function finalizerChange(old: Service, service: Service): readonly string[] {
  if (hasFinalizer(old) === hasFinalizer(service)) return [];
  const isOfUse = hasFinalizer(service) && isOfTypeLoadBalancer(service);
  return isOfUse ? [] : ["finalizers"];
}

function annotationChanges(
  old: Service,
  service: Service,
  prefixes: readonly string[],
): readonly string[] {
  const before = annotationsOf(old);
  const after = annotationsOf(service);
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  );
  const isRead = (key: string) =>
    key !== CLASS_ANNOTATION && (READ_BY_US.some(startsOf(key)) || prefixes.some(startsOf(key)));
  const relevant = keys.some(isRead) ? ["annotations"] : [];
  return keys.every(isRead) ? relevant : [...relevant, OTHER_ANNOTATIONS];
}

const READ_BY_US = ["cloudwright.io/", "service.beta.kubernetes.io/load-balancer-source-ranges"];

function startsOf(key: string): (prefix: string) => boolean {
  return (prefix) => key.startsWith(prefix);
}

function differ(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) !== JSON.stringify(right);
}
