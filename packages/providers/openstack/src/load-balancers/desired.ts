import { isIPv6 } from "node:net";
import {
  EVERYBODY,
  type IpFamily,
  type LoadBalancerListener,
  type LoadBalancerMember,
  type LoadBalancerNext,
  type LoadBalancerNotice,
  type LoadBalancerSpec,
} from "@cloudwright/provider-api";
import {
  ANNOTATION_PREFIX,
  type Annotations,
  type ProxyProtocol,
  readAnnotations,
} from "./annotations.ts";
import { type Features, featuresOf } from "./features.ts";
import { addressOf, type LoadBalancerConfig, type Placement, placementOf } from "./networks.ts";
import { childName, loadBalancerName } from "./ownership.ts";

/** A listener with its pool, members and monitor, in Octavia's own words: each part is what a request sends. */
export interface DesiredListener {
  readonly protocol: string;
  readonly port: number;
  readonly fields: {
    readonly name: string;
    readonly connection_limit: number;
    readonly insert_headers: Readonly<Record<string, string>>;
    readonly default_tls_container_ref?: string;
    readonly timeout_client_data?: number;
    readonly timeout_member_connect?: number;
    readonly timeout_member_data?: number;
    readonly timeout_tcp_inspect?: number;
    readonly allowed_cidrs?: readonly string[];
  };
  readonly pool: DesiredPool;
}

export interface DesiredPool {
  readonly name: string;
  readonly protocol: string;
  readonly lb_algorithm: string;
  readonly session_persistence: { readonly type: "SOURCE_IP" } | null;
  readonly members: readonly DesiredMember[];
  readonly monitor: DesiredMonitor | undefined;
}

export interface DesiredMember {
  readonly name: string;
  readonly address: string;
  readonly protocol_port: number;
  readonly monitor_port: number | null;
}

export interface DesiredMonitor {
  readonly name: string;
  readonly type: string;
  readonly delay: number;
  readonly timeout: number;
  readonly max_retries: number;
  readonly max_retries_down: number;
  readonly url_path?: string;
  readonly http_method?: string;
  readonly expected_codes?: string;
}

/** What a Service and its nodes ask of Octavia and Neutron. */
export interface DesiredLoadBalancer {
  readonly name: string;
  readonly isInternal: boolean;
  /** Its primary one first. */
  readonly families: readonly IpFamily[];
  readonly placement: Placement;
  readonly requestedAddress: string | undefined;
  readonly flavorId: string | undefined;
  readonly availabilityZone: string | undefined;
  readonly keepsFloatingIp: boolean;
  readonly hostname: string | undefined;
  readonly proxyProtocol: ProxyProtocol;
  readonly listeners: readonly DesiredListener[];
  /** Who may come in where listeners cannot say it themselves. */
  readonly sourceRanges: readonly string[];
  readonly healthCheckNodePort: number;
  readonly features: Features;
  readonly notices: readonly LoadBalancerNotice[];
}

export type Desired =
  | { readonly kind: "desired"; readonly desired: DesiredLoadBalancer }
  | Extract<LoadBalancerNext, { kind: "unsupported" }>;

interface Facts {
  readonly spec: LoadBalancerSpec;
  readonly config: LoadBalancerConfig;
  readonly read: Annotations;
  readonly features: Features;
  readonly proxyProtocol: ProxyProtocol;
  readonly notices: LoadBalancerNotice[];
}

/** Pure; equal specifications become equal values. */
export function desiredOf(
  spec: LoadBalancerSpec,
  config: LoadBalancerConfig,
  { minor, provider }: { readonly minor: number; readonly provider: string },
): Desired {
  const read = readAnnotations(spec.annotations);
  const features = featuresOf({ minor, provider });
  const proxyProtocol = read.proxyProtocol();
  const facts: Facts = { spec, config, read, features, proxyProtocol, notices: [] };
  const placement = placementOf(read, config);
  if (placement.kind === "unsupported") return placement;
  const contradiction = contradictionIn(facts);
  if (contradiction !== undefined) return { kind: "unsupported", ...contradiction };
  const [family = "IPv4"] = spec.families;
  const listeners = spec.listeners.map((one, index) => listenerOf(facts, one, index));
  const creationOnly = creationFields(facts);
  const { loadBalancer } = config;
  const desired: DesiredLoadBalancer = {
    name: loadBalancerName(spec.owner),
    isInternal: loadBalancer.internalLb || read.isInternal(false) || family === "IPv6",
    families: spec.families,
    placement: placement.placement,
    requestedAddress: spec.requestedAddress,
    ...creationOnly,
    keepsFloatingIp: read.flag("keep-floatingip", false),
    hostname: read.text("hostname") || undefined,
    proxyProtocol,
    listeners,
    sourceRanges: spec.sourceRanges,
    healthCheckNodePort: spec.healthCheck.protocol === "HTTP" ? spec.healthCheck.port : 0,
    features,
    notices: [],
  };
  return {
    kind: "desired",
    desired: { ...desired, notices: [...uniqueOf(read.notices), ...noticesOf(facts, desired)] },
  };
}

/** An annotation is read once for each listener. */
function uniqueOf(notices: readonly LoadBalancerNotice[]): readonly LoadBalancerNotice[] {
  return [...new Map(notices.map((notice) => [notice.message, notice])).values()];
}

interface Problem {
  readonly field: string;
  readonly problem: string;
}

function contradictionIn({ spec, read, features, proxyProtocol, config }: Facts): Problem | undefined {
  const annotation = (name: string) => `annotation ${ANNOTATION_PREFIX}${name}`;
  const forwards = read.flag("x-forwarded-for", false);
  if (forwards && proxyProtocol !== "none")
    return {
      field: annotation("x-forwarded-for"),
      problem: "it cannot go together with proxy-protocol; remove one of them",
    };
  const unmet: readonly (readonly [boolean, string, string])[] = [
    [forwards && !features.layer7, "x-forwarded-for", "HTTP listeners"],
    [proxyProtocol === "v1" && !features.proxyV1, "proxy-protocol", "the PROXY protocol"],
    [proxyProtocol === "v2" && !features.proxyV2, "proxy-protocol", "the PROXY protocol's second version"],
    [tlsRefOf(read, config) !== "" && !features.layer7, "default-tls-container-ref", "TLS"],
  ];
  const [first] = unmet.filter(([isUnmet]) => isUnmet);
  if (first !== undefined)
    return { field: annotation(first[1]), problem: `this Octavia and its provider have no ${first[2]}` };
  const sctp = spec.listeners.find(({ protocol }) => protocol === "SCTP");
  if (sctp !== undefined && !features.sctp)
    return { field: `port ${sctp.port}/SCTP`, problem: "this Octavia has no SCTP (it needs API 2.23)" };
  return spec.families.length > 1 && !features.additionalVips
    ? {
        field: `ipFamilies ${spec.families.join(", ")}`,
        problem: "this Octavia gives a load balancer one family (a second needs API 2.26)",
      }
    : undefined;
}

function tlsRefOf(read: Annotations, { loadBalancer }: LoadBalancerConfig): string {
  return read.text("default-tls-container-ref") ?? loadBalancer.defaultTlsContainerRef ?? "";
}

function creationFields({ read, config, features, notices }: Facts) {
  const { loadBalancer } = config;
  const flavorId = read.text("flavor-id") ?? loadBalancer.flavorId ?? "";
  const zone = read.text("availability-zone") ?? loadBalancer.availabilityZone ?? "";
  if (zone !== "" && !features.availabilityZones)
    notices.push({
      type: "Warning",
      reason: "LoadBalancerAvailabilityZonesIgnored",
      message: `The availability zone ${zone} is ignored: this Octavia and its provider have none for load balancers.`,
    });
  return {
    flavorId: features.flavors && flavorId !== "" ? flavorId : undefined,
    availabilityZone: features.availabilityZones && zone !== "" ? zone : undefined,
  };
}

function noticesOf(
  { spec, notices, features, config }: Facts,
  { sourceRanges }: DesiredLoadBalancer,
): readonly LoadBalancerNotice[] {
  const isOpen = spec.families.every((family) => sourceRanges.includes(EVERYBODY[family]));
  const isCarriedByGroup = !features.layer7 && config.loadBalancer.manageSecurityGroups;
  if (features.allowedCidrs || isOpen || isCarriedByGroup) return notices;
  return [
    ...notices,
    {
      type: "Warning",
      reason: "LoadBalancerSourceRangesIgnored",
      message: `The source ranges ${sourceRanges.join(", ")} are ignored and everybody is let in: this Octavia and its provider have no access lists.`,
    },
  ];
}

function listenerOf(facts: Facts, port: LoadBalancerListener, index: number): DesiredListener {
  const { spec, read, config, features } = facts;
  const name = loadBalancerName(spec.owner);
  const tlsRef = port.protocol === "TCP" ? tlsRefOf(read, config) : "";
  const protocol = listenerProtocol(port, tlsRef, read);
  const forwards = protocol === "HTTP" || (protocol === "TERMINATED_HTTPS" && forwardsFor(read));
  return {
    protocol,
    port: port.port,
    fields: {
      name: childName("listener", index, name),
      connection_limit: read.number("connection-limit", -1),
      insert_headers: forwards ? { "X-Forwarded-For": "true" } : {},
      ...(tlsRef === "" ? {} : { default_tls_container_ref: tlsRef }),
      ...(features.timeouts ? timeoutsOf(read) : {}),
      ...(features.allowedCidrs ? { allowed_cidrs: rangesOf(spec) } : {}),
    },
    pool: poolOf(facts, { port, index, protocol }),
  };
}

function forwardsFor(read: Annotations): boolean {
  return read.flag("x-forwarded-for", false);
}

function listenerProtocol(
  { protocol }: LoadBalancerListener,
  tlsRef: string,
  read: Annotations,
): string {
  if (protocol !== "TCP") return protocol;
  if (tlsRef !== "") return "TERMINATED_HTTPS";
  return forwardsFor(read) ? "HTTP" : "TCP";
}

/** Upstream's defaults, which are Octavia's own; milliseconds. */
function timeoutsOf(read: Annotations) {
  return {
    timeout_client_data: read.number("timeout-client-data", 50_000),
    timeout_member_connect: read.number("timeout-member-connect", 5_000),
    timeout_member_data: read.number("timeout-member-data", 50_000),
    timeout_tcp_inspect: read.number("timeout-tcp-inspect", 0),
  };
}

/** Octavia refuses ranges of a family that the load balancer has no address of. */
function rangesOf({ sourceRanges, families }: LoadBalancerSpec): readonly string[] {
  return sourceRanges.filter((range) => families.includes(isIPv6Range(range) ? "IPv6" : "IPv4"));
}

function isIPv6Range(range: string): boolean {
  return isIPv6(range.split("/", 1)[0] ?? "");
}

interface PoolPart {
  readonly port: LoadBalancerListener;
  readonly index: number;
  /** The listener's. */
  readonly protocol: string;
}

function poolOf(facts: Facts, part: PoolPart): DesiredPool {
  const { spec, read, config, features } = facts;
  const monitor = monitorOf(facts, part);
  const isHttp = monitor?.type === "HTTP" && spec.healthCheck.protocol === "HTTP";
  const monitorPort = isHttp ? spec.healthCheck.port : null;
  const preferred = read.method(config.loadBalancer.lbMethod ?? "ROUND_ROBIN");
  const isOffered = features.methods === "any" || features.methods.includes(preferred);
  return {
    name: childName("pool", part.index, loadBalancerName(spec.owner)),
    protocol: poolProtocol(facts, part),
    lb_algorithm: isOffered ? preferred : (features.methods[0] ?? preferred),
    session_persistence: spec.affinity.kind === "none" ? null : { type: "SOURCE_IP" },
    members: spec.members.flatMap((member) => memberOf(member, { spec, port: part.port, monitorPort })),
    monitor,
  };
}

/** PROXY is for what carries connections; datagrams go as they are. */
function poolProtocol({ proxyProtocol }: Facts, { protocol }: PoolPart): string {
  if (protocol === "HTTP" || protocol === "TERMINATED_HTTPS") return "HTTP";
  if (protocol !== "TCP" || proxyProtocol === "none") return protocol;
  return proxyProtocol === "v1" ? "PROXY" : "PROXYV2";
}

interface MemberPart {
  readonly spec: LoadBalancerSpec;
  readonly port: LoadBalancerListener;
  readonly monitorPort: number | null;
}

/** A node without an address of the family, and a port without a node port, have no member. */
function memberOf(
  member: LoadBalancerMember,
  { spec, port, monitorPort }: MemberPart,
): readonly DesiredMember[] {
  const address = addressOf(member, spec.families[0] ?? "IPv4");
  if (address === undefined || port.nodePort === 0) return [];
  const { nodeName: name } = member;
  return [{ name, address, protocol_port: port.nodePort, monitor_port: monitorPort }];
}

function monitorOf(facts: Facts, { port, index }: PoolPart): DesiredMonitor | undefined {
  const { spec, read, config } = facts;
  const { loadBalancer } = config;
  if (!read.flag("enable-health-monitor", loadBalancer.createMonitor)) return undefined;
  const isHttp = spec.healthCheck.protocol === "HTTP" && mayAskOverHttp(facts, port);
  return {
    name: childName("monitor", index, loadBalancerName(spec.owner)),
    type: isHttp ? "HTTP" : (MONITORS[port.protocol] ?? "TCP"),
    delay: read.number("health-monitor-delay", secondsOf(loadBalancer.monitorDelay)),
    timeout: read.number("health-monitor-timeout", secondsOf(loadBalancer.monitorTimeout)),
    max_retries: read.number("health-monitor-max-retries", loadBalancer.monitorMaxRetries),
    max_retries_down: read.number(
      "health-monitor-max-retries-down",
      loadBalancer.monitorMaxRetriesDown,
    ),
    ...(isHttp
      ? { url_path: spec.healthCheck.path ?? "/healthz", http_method: "GET", expected_codes: "200" }
      : {}),
  };
}

const MONITORS: Readonly<Record<string, string>> = { TCP: "TCP", UDP: "UDP-CONNECT", SCTP: "SCTP" };

function mayAskOverHttp({ features }: Facts, { protocol }: LoadBalancerListener): boolean {
  return protocol === "TCP" ? features.httpMonitors : features.udpHttpMonitors;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
