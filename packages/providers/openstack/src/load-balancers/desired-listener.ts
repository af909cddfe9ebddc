import { isIPv6 } from "node:net";
import {
  EVERYBODY,
  type IpFamily,
  type LoadBalancerListener,
  type LoadBalancerMember,
  type LoadBalancerNotice,
  type LoadBalancerSpec,
} from "@cloudwright/provider-api";
import type { Annotations, ProxyProtocol } from "./annotations.ts";
import type { Features } from "./features.ts";
import { addressOf, type LoadBalancerConfig } from "./networks.ts";
import { childName, loadBalancerName } from "./ownership.ts";

/** A listener with its pool, members and monitor, in Octavia's terms: each part is the body of a request. */
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

/** A Service, and the settings that apply to it. */
export interface DesiredFacts {
  readonly spec: LoadBalancerSpec;
  readonly config: LoadBalancerConfig;
  readonly read: Annotations;
  readonly features: Features;
  readonly proxyProtocol: ProxyProtocol;
  readonly notices: LoadBalancerNotice[];
}

/** Pure; equal ports result in equal listeners. */
export function listenerOf(
  facts: DesiredFacts,
  port: LoadBalancerListener,
  index: number,
): DesiredListener {
  const { spec, read, features } = facts;
  const name = loadBalancerName(spec.owner);
  const tlsRef = port.protocol === "TCP" ? tlsRefOf(facts) : "";
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

export function forwardsFor(read: Annotations): boolean {
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

/** Returns upstream's defaults, which are Octavia's own, in milliseconds. */
function timeoutsOf(read: Annotations) {
  return {
    timeout_client_data: read.number("timeout-client-data", 50_000),
    timeout_member_connect: read.number("timeout-member-connect", 5_000),
    timeout_member_data: read.number("timeout-member-data", 50_000),
    timeout_tcp_inspect: read.number("timeout-tcp-inspect", 0),
  };
}

/**
 * Octavia compares ranges only with the family of the load balancer's first address, and refuses those of another. An empty list
 * means everybody: `rangesProblem` refuses if leaving ranges out would result in that.
 */
function rangesOf({ sourceRanges, families }: Ranged): readonly string[] {
  const [primary = "IPv4"] = families;
  if (families.length > 1 && isOpen({ sourceRanges, families })) return [];
  return sourceRanges.filter((range) => familyOf(range) === primary);
}

/** Returns ranges of families for which the load balancer has addresses but which Octavia does not accept. */
export function leftOutRanges(spec: Ranged): readonly string[] {
  if (isOpen(spec)) return [];
  const sent = rangesOf(spec);
  return spec.sourceRanges.filter(
    (range) => spec.families.includes(familyOf(range)) && !sent.includes(range),
  );
}

/** Returns why no range can be sent although access is to be restricted; undefined if there is no such problem. */
export function rangesProblem(spec: Ranged): string | undefined {
  if (isOpen(spec) || rangesOf(spec).length > 0) return undefined;
  const [primary = "IPv4"] = spec.families;
  return `none of ${spec.sourceRanges.join(", ")} is of ${primary}, the family of the load balancer's first address; add one`;
}

/** Reports whether everybody of every family may connect. */
export function isOpen({ sourceRanges, families }: Ranged): boolean {
  return families.every((family) => sourceRanges.includes(EVERYBODY[family]));
}

type Ranged = Pick<LoadBalancerSpec, "sourceRanges" | "families">;

function familyOf(range: string): IpFamily {
  return isIPv6(range.split("/", 1)[0] ?? "") ? "IPv6" : "IPv4";
}

interface PoolPart {
  readonly port: LoadBalancerListener;
  readonly index: number;
  /** The listener's protocol. */
  readonly protocol: string;
}

function poolOf(facts: DesiredFacts, part: PoolPart): DesiredPool {
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
    members: withoutTwins(
      chosenMembers(facts).flatMap((member) =>
        memberOf(member, { spec, port: part.port, monitorPort }),
      ),
    ),
    monitor,
  };
}

/** Returns the nodes with these labels: `key=value`, or just a key that must exist (spec §6.1). */
export function chosenMembers({
  spec,
  read,
  config,
}: Pick<DesiredFacts, "spec" | "read" | "config">): readonly LoadBalancerMember[] {
  const selector = read.text("node-selector") ?? config.loadBalancer.nodeSelector ?? "";
  const terms = selector.split(",").map((term) => term.trim());
  const asked = terms.filter((term) => term !== "").map((term) => term.split("=", 2));
  return spec.members.filter(({ labels = {} }) =>
    asked.every(([key = "", value]) =>
      value === undefined ? Object.hasOwn(labels, key) : labels[key] === value,
    ),
  );
}

/** PROXY applies only to connections; datagrams are passed on unchanged. */
function poolProtocol({ proxyProtocol }: DesiredFacts, { protocol }: PoolPart): string {
  if (protocol === "HTTP" || protocol === "TERMINATED_HTTPS") return "HTTP";
  if (protocol !== "TCP" || proxyProtocol === "none") return protocol;
  return proxyProtocol === "v1" ? "PROXY" : "PROXYV2";
}

/** The Node of a deleted server may have the same address as a new one, and Octavia refuses a pool with duplicates. */
function withoutTwins(members: readonly DesiredMember[]): readonly DesiredMember[] {
  const byAddress = new Map<string, DesiredMember>();
  for (const member of members) {
    if (!byAddress.has(member.address)) byAddress.set(member.address, member);
  }
  return [...byAddress.values()];
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

function monitorOf(facts: DesiredFacts, { port, index }: PoolPart): DesiredMonitor | undefined {
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

function mayAskOverHttp({ features }: DesiredFacts, { protocol }: LoadBalancerListener): boolean {
  return protocol === "TCP" ? features.httpMonitors : features.udpHttpMonitors;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

/** Returns "" if there is none. */
export function tlsRefOf({ read, config }: Pick<DesiredFacts, "read" | "config">): string {
  return read.text("default-tls-container-ref") ?? config.loadBalancer.defaultTlsContainerRef ?? "";
}
