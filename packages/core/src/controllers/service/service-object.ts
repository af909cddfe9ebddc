import type { LoadBalancerOwner, LoadBalancerStatus } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { ReasonCode } from "../../model/reason.ts";
import { annotationOf, annotationsOf, isDeleting, nameOf, uidOf } from "../objects/object-meta.ts";

/** Keeps a Service until its load balancer is gone (spec/30 §1). */
export const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
/**
 * Whether the Service is served as it asks, and if not, why (spec/30 SW-18). It has a prefix because Kubernetes does not define
 * it.
 */
export const READY_CONDITION = "cloudwright.io/LoadBalancerReady";
/**
 * The class under which a controller of ours serves a Service, stored beside the finalizer: the API server removes the class
 * with the type, and then the finalizer's owner would be unknown. Absent: served without a class.
 */
export const CLASS_ANNOTATION = "cloudwright.io/load-balancer-class";
/** The annotation for source ranges, older than the field (spec/60 §4). */
export const SOURCE_RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** The identity in whose name load balancers are created. */
export interface ClusterIdentity {
  readonly clusterUid: string;
  /** `--cluster-name`. */
  readonly clusterName: string;
  /** Prefixes of the annotations that the provider reads; absent: it reads none. */
  readonly annotationPrefixes?: readonly string[];
}

export function namespaceOf(service: Service): string {
  return service.metadata?.namespace ?? "";
}

/** Returns the key in the informer and in the queue. */
export function keyOf(service: Service): string {
  return `${namespaceOf(service)}/${nameOf(service)}`;
}

export function refOf(service: Service): ObjectRef {
  return {
    kind: "Service",
    namespace: namespaceOf(service),
    name: nameOf(service),
    uid: uidOf(service),
  };
}

/** Returns the reference for a key about which nothing else is known. */
export function refOfKey(key: string): ObjectRef {
  const slash = key.indexOf("/");
  return { kind: "Service", namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * `known`: the addresses at which its own load balancer was seen; only load balancers at others have to be looked for.
 */
export function ownerOf(
  service: Service,
  { clusterUid, clusterName, annotationPrefixes = [] }: ClusterIdentity,
  known: readonly string[] = [],
): LoadBalancerOwner {
  const loadBalancerClass = classOf(service);
  const published = placesOf(publishedBy(service)).filter((place) => !known.includes(place));
  const annotations = readByProvider(service, annotationPrefixes);
  return {
    ...{ clusterUid, clusterName },
    objectUid: uidOf(service),
    namespace: namespaceOf(service),
    name: nameOf(service),
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    ...(published.length === 0 ? {} : { published }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

/** Returns the annotations that the provider reads, sorted so that their order does not matter. */
export function readByProvider(
  service: Service,
  prefixes: readonly string[],
): Readonly<Record<string, string>> {
  const read = Object.entries(annotationsOf(service))
    .filter(([key]) => prefixes.some((prefix) => key.startsWith(prefix)))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(read);
}

export function classOf(service: Service): string | undefined {
  return service.spec?.loadBalancerClass;
}

export function recordedClassOf(service: Service): string | undefined {
  return annotationOf(service, CLASS_ANNOTATION);
}

function finalizersOf(service: Service): readonly string[] {
  return service.metadata?.finalizers ?? [];
}

export function hasFinalizer(service: Service): boolean {
  return finalizersOf(service).includes(FINALIZER);
}

/** Reports whether the Service will be gone with our finalizer: it is being deleted, and nothing else keeps it. */
export function goesWithUs(service: Service): boolean {
  return isDeleting(service) && finalizersOf(service).every((one) => one === FINALIZER);
}

/** The condition in plans and records; null if there is none. */
export type ReadyCondition = { readonly status: string; readonly reason: string } | null;

export type WantedReady =
  | { readonly status: "True"; readonly reason: "BalancerInStep" }
  | { readonly status: "False"; readonly reason: ReasonCode };

export function conditionOf(service: Service): ReadyCondition {
  const found = service.status?.conditions?.find(({ type }) => type === READY_CONDITION);
  return found === undefined ? null : { status: found.status, reason: found.reason };
}

export function isOfTypeLoadBalancer(service: Service): boolean {
  return service.spec?.type === "LoadBalancer";
}

/** A LoadBalancerStatus in plans and records. */
export type Published = { readonly ingress: readonly Ingress[] };

type Ingress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: "VIP" | "Proxy";
  readonly ports?: readonly IngressPort[];
};

type IngressPort = { readonly port: number; readonly protocol: string; readonly error?: string };

/** Returns the addresses that the Service publishes. */
export function publishedBy(service: Service): Published {
  return comparable({ ingress: service.status?.loadBalancer?.ingress ?? [] });
}

/** Reports whether what a Service publishes is at some of these places, and something if there are any. */
export function publishesOnly(service: Service, places: readonly string[]): boolean {
  const published = placesOf(publishedBy(service));
  if (places.length === 0) return true;
  return published.length > 0 && published.every((place) => places.includes(place));
}

/** An ingress from the API server or a provider. */
interface AnyIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly IngressPort[];
}

/**
 * Returns a status with the API server's defaults and without empty texts, so that what it stores equals what we
 * compare and nothing is written twice (spec/30 SW-8); members always have the same order.
 */
export function comparable(status: { readonly ingress: readonly AnyIngress[] }): Published {
  return { ingress: status.ingress.map(comparableIngress) };
}

function comparableIngress({ ip = "", hostname = "", ipMode, ports = [] }: AnyIngress): Ingress {
  return {
    ...(ip === "" ? {} : { ip }),
    ...(hostname === "" ? {} : { hostname }),
    ...(ip === "" ? {} : { ipMode: ipMode === "Proxy" ? "Proxy" : "VIP" }),
    ...(ports.length === 0 ? {} : { ports: ports.map(comparablePort) }),
  };
}

function comparablePort({ port, protocol, error }: IngressPort): IngressPort {
  return { port, protocol, ...(error === undefined ? {} : { error }) };
}

/** Returns the IPs and hostnames. */
export function placesOf({ ingress }: LoadBalancerStatus): readonly string[] {
  return ingress
    .flatMap(({ ip, hostname }) => [ip, hostname])
    .filter((place) => place !== undefined);
}

/** Returns all addresses as text, "" if there are none. */
export function addressText({ ingress }: LoadBalancerStatus): string {
  return ingress.map(({ ip, hostname }) => ip ?? hostname ?? "").join(", ");
}
