import type { LoadBalancerOwner, LoadBalancerStatus } from "@cloudwright/provider-api";
import type { Service } from "../../kube/client.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { ReasonCode } from "../../model/reason.ts";
import { annotationOf, annotationsOf, isDeleting, nameOf, uidOf } from "../objects/object-meta.ts";

/** Keeps a Service until its load balancer is gone (spec/30 §1). */
export const FINALIZER = "service.kubernetes.io/load-balancer-cleanup";
/** Whether the Service is served as it asks, and if not, why (spec/30 SW-18). With a prefix, as Kubernetes does not define it. */
export const READY_CONDITION = "cloudwright.io/LoadBalancerReady";
/**
 * The class under which a controller of ours serves a Service, beside the finalizer: the API server forgets the class with the
 * type, and whose the finalizer is would not be known any more. Absent: it was served without a class.
 */
export const CLASS_ANNOTATION = "cloudwright.io/load-balancer-class";
/** The way to name source ranges from before there was a field (spec/60 §4). */
export const SOURCE_RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** In whose name load balancers are made. */
export interface ClusterIdentity {
  readonly clusterUid: string;
  /** `--cluster-name`. */
  readonly clusterName: string;
  /** Of the annotations that the provider reads; absent: it reads none. */
  readonly annotationPrefixes?: readonly string[];
}

export function namespaceOf(service: Service): string {
  return service.metadata?.namespace ?? "";
}

/** The informer's key, and the queue's. */
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

/** Who a key is of which nothing else is known. */
export function refOfKey(key: string): ObjectRef {
  const slash = key.indexOf("/");
  return { kind: "Service", namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** `known`: the addresses at which its own load balancer was seen; only what stands at others has to be looked for. */
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

/** The annotations that the provider reads; sorted, so that their order means nothing. */
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

/** Whether the Service is gone once our finalizer is: it is being deleted, and nobody else keeps it. */
export function goesWithUs(service: Service): boolean {
  return isDeleting(service) && finalizersOf(service).every((one) => one === FINALIZER);
}

/** As plans and records carry it; null where there is none. */
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

/** A LoadBalancerStatus as plans and records carry it. */
export type Published = { readonly ingress: readonly Ingress[] };

type Ingress = {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: "VIP" | "Proxy";
  readonly ports?: readonly IngressPort[];
};

type IngressPort = { readonly port: number; readonly protocol: string; readonly error?: string };

/** Where the Service says that it is reached. */
export function publishedBy(service: Service): Published {
  return comparable({ ingress: service.status?.loadBalancer?.ingress ?? [] });
}

/** As the API server gives it, and as a provider does. */
interface AnyIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly IngressPort[];
}

/**
 * With the API server's default filled in and empty texts left out, so that what it stores is what we compare with and
 * nothing is written twice (spec/30 SW-8); members always in one order.
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

/** IPs and hostnames. */
export function placesOf({ ingress }: LoadBalancerStatus): readonly string[] {
  return ingress
    .flatMap(({ ip, hostname }) => [ip, hostname])
    .filter((place) => place !== undefined);
}

/** For reading: all addresses, "" when there is none. */
export function addressText({ ingress }: LoadBalancerStatus): string {
  return ingress.map(({ ip, hostname }) => ip ?? hostname ?? "").join(", ");
}
