import { isIPv6 } from "node:net";
import type {
  IpFamily,
  LoadBalancerMember,
  LoadBalancerNext,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import type { CloudConf } from "../config/cloud-conf.ts";
import { ANNOTATION_PREFIX, type Annotations } from "./annotations.ts";
import type { ObservedNetworks, Port, Subnet } from "./observed.ts";

/** The sections of the configuration that load balancers read. */
export type LoadBalancerConfig = Pick<CloudConf, "loadBalancer" | "loadBalancerClasses">;

/** Where to place a load balancer according to annotations, class and configuration; "" if none of them says. */
export interface Placement {
  readonly subnetId: string;
  readonly networkId: string;
  readonly portId: string;
  readonly memberSubnetId: string;
  /** From the Service or its class only: the configuration's value applies to every Service, and does not change. */
  readonly askedMemberSubnetId: string;
  /** "" means no floating IP; undefined: a network is looked for. */
  readonly floatingNetworkId: string | undefined;
  readonly floatingSubnetId: string;
  readonly floatingSubnet: string;
  readonly floatingSubnetTags: string;
}

type Unsupported = Extract<LoadBalancerNext, { kind: "unsupported" }>;

/** For its fields, a class overrides the annotations; an annotation, even an empty one, overrides the configuration (spec §6.1, §6.4). */
export function placementOf(
  read: Annotations,
  { loadBalancer, loadBalancerClasses }: LoadBalancerConfig,
): { readonly kind: "placement"; readonly placement: Placement } | Unsupported {
  const name = read.text("class") ?? "";
  const ofClass = name === "" ? undefined : loadBalancerClasses.get(name);
  if (name !== "" && ofClass === undefined) {
    const problem = `the configuration has no [LoadBalancerClass "${name.slice(0, 64)}"]`;
    return { kind: "unsupported", field: `annotation ${ANNOTATION_PREFIX}class`, problem };
  }
  const floating = (annotation: FloatingAnnotation, key: FloatingKey) =>
    ofClass?.[key] ?? read.text(annotation) ?? loadBalancer[key];
  const vip = (annotation: "subnet-id" | "network-id", key: "subnetId" | "networkId") =>
    read.text(annotation) ?? ofClass?.[key] ?? loadBalancer[key] ?? "";
  const subnetId = vip("subnet-id", "subnetId");
  const asked = read.text("member-subnet-id") ?? ofClass?.memberSubnetId;
  return {
    kind: "placement",
    placement: {
      subnetId,
      networkId: vip("network-id", "networkId"),
      portId: read.text("port-id") ?? "",
      ...memberSubnetsOf(asked, loadBalancer),
      floatingNetworkId: floating("floating-network-id", "floatingNetworkId"),
      floatingSubnetId: floating("floating-subnet-id", "floatingSubnetId") ?? "",
      floatingSubnet: floating("floating-subnet", "floatingSubnet") ?? "",
      floatingSubnetTags: floating("floating-subnet-tags", "floatingSubnetTags") ?? "",
    },
  };
}

function memberSubnetsOf(
  asked: string | undefined,
  { memberSubnetId, subnetId = "" }: LoadBalancerConfig["loadBalancer"],
): Pick<Placement, "memberSubnetId" | "askedMemberSubnetId"> {
  return {
    memberSubnetId: asked ?? memberSubnetId ?? subnetId,
    askedMemberSubnetId: asked ?? "",
  };
}

type FloatingAnnotation =
  | "floating-network-id"
  | "floating-subnet-id"
  | "floating-subnet"
  | "floating-subnet-tags";
type FloatingKey =
  | "floatingNetworkId"
  | "floatingSubnetId"
  | "floatingSubnet"
  | "floatingSubnetTags";

/** The VIP fields of a creation. */
export interface Vip {
  readonly vip_subnet_id?: string;
  readonly vip_network_id?: string;
  readonly vip_port_id?: string;
  readonly additional_vips?: readonly { readonly subnet_id: string }[];
}

/** Returns where a new load balancer gets its addresses: as configured, else in the first node's subnet (spec §6.4). */
export function vipOf(
  { subnetId, networkId, portId }: Placement,
  spec: LoadBalancerSpec,
  networks: ObservedNetworks,
): Vip | Unsupported {
  if (portId !== "") return { vip_port_id: portId };
  const [primary = "IPv4", second] = spec.families;
  const subnet =
    subnetId || (networkId === "" ? subnetOfNodes(spec, primary, networks) : undefined);
  if (subnet === undefined && networkId === "") return NOWHERE;
  const vip = subnet === undefined ? { vip_network_id: networkId } : { vip_subnet_id: subnet };
  return second === undefined ? vip : withSecond(vip, second, networks);
}

/** Adds the other family's address from a subnet of the same network. */
function withSecond(vip: Vip, family: IpFamily, networks: ObservedNetworks): Vip | Unsupported {
  const { vip_subnet_id: subnet, vip_network_id: said } = vip;
  const network = said ?? networkOf(subnet, networks);
  const other = networks.subnets?.find(
    (one) => one.network_id === network && familyOf(one) === family && one.id !== subnet,
  );
  if (other === undefined) return without(family, network);
  return { ...vip, additional_vips: [{ subnet_id: other.id }] };
}

const NOWHERE: Unsupported = {
  kind: "unsupported",
  field: `annotation ${ANNOTATION_PREFIX}subnet-id`,
  problem:
    "no subnet is configured for it, and no node has an address on a port of this project; set subnet-id in the configuration or on the Service",
};

function without(family: IpFamily, network: string | undefined): Unsupported {
  const problem = `the network ${network ?? "of the load balancer"} has no ${family} subnet`;
  return { kind: "unsupported", field: `ipFamilies ${family}`, problem };
}

/** Returns the node's first internal address of the family, else its first external one (spec §6.4). */
export function addressOf(
  { addresses }: Pick<LoadBalancerMember, "addresses">,
  family: IpFamily,
): string | undefined {
  const ofFamily = addresses.filter(({ address }) => isIPv6(address) === (family === "IPv6"));
  const first = (type: string) => ofFamily.find((one) => one.type === type)?.address;
  return first("InternalIP") ?? first("ExternalIP");
}

/** Returns the subnet of the first node whose address belongs to a port of the project. */
function subnetOfNodes(
  { members }: LoadBalancerSpec,
  family: IpFamily,
  networks: ObservedNetworks,
): string | undefined {
  const { ports = [] } = networks;
  for (const member of members) {
    const address = addressOf(member, family);
    const subnet = address === undefined ? undefined : fixedIpOf(ports, address)?.subnet_id;
    if (subnet !== undefined && subnet !== "") return subnet;
  }
  return undefined;
}

function fixedIpOf(ports: readonly Port[], address: string) {
  const held = ports.filter(({ device_id }) => device_id !== "");
  return held
    .flatMap(({ fixed_ips }) => fixed_ips)
    .find(({ ip_address }) => ip_address === address);
}

function networkOf(subnet: string | undefined, { subnets = [] }: ObservedNetworks) {
  return subnets.find(({ id }) => id === subnet)?.network_id;
}

function familyOf({ ip_version }: Subnet): IpFamily {
  return ip_version === 6 ? "IPv6" : "IPv4";
}
