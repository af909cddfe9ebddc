import { type Row, row } from "../environment.ts";
import { createService, refusedWith, removeServices, twoPorts, type Wanted } from "../services.ts";
import type { Side } from "../side.ts";

interface Refusal extends Wanted {
  /** In the words of upstream's provider. */
  readonly says: RegExp;
}

const NETWORK = { type: "nlb" };

/** What a Service may not ask for, with what the provider says of it: both managers pass that on. */
const REFUSALS: readonly Refusal[] = [
  {
    ...{ name: "with-address", spec: { ...portsFrom(30_900), loadBalancerIP: "192.0.2.9" } },
    says: /LoadBalancerIP cannot be specified for AWS ELB/,
  },
  {
    ...{ name: "with-affinity", spec: { ...portsFrom(30_902), sessionAffinity: "ClientIP" } },
    says: /unsupported load balancer affinity: ClientIP/,
  },
  {
    ...{ name: "classic-udp", spec: { ports: [port("UDP", 30_904)] } },
    says: /Protocol UDP not supported by LoadBalancer/,
  },
  {
    ...{ name: "classic-sctp", spec: { ports: [port("SCTP", 30_906)] } },
    says: /Protocol SCTP not supported by LoadBalancer/,
  },
  {
    ...{ name: "network-sctp", annotations: NETWORK, spec: { ports: [port("SCTP", 30_908)] } },
    says: /Protocol SCTP not supported by LoadBalancer/,
  },
  {
    ...{ name: "mixed", annotations: NETWORK },
    spec: { ports: [port("TCP", 30_910), port("UDP", 30_911)] },
    says: /mixed protocol is not supported for LoadBalancer/,
  },
  {
    ...{ name: "extra-groups", spec: portsFrom(30_912) },
    annotations: { ...NETWORK, "extra-security-groups": "sg-0123456789abcdef0" },
    says: /BYO extra security group annotation .* is not supported by NLB/,
  },
  {
    ...{ name: "classic-attributes", spec: portsFrom(30_914) },
    annotations: { "target-group-attributes": "preserve_client_ip.enabled=false" },
    says: /target group attributes annotation is only supported for NLB/,
  },
  {
    ...{ name: "other-attribute", spec: portsFrom(30_916) },
    annotations: { ...NETWORK, "target-group-attributes": "stickiness.enabled=true" },
    says: /the attribute .* is not supported by the controller or is invalid/,
  },
  {
    ...{ name: "udp-clients", spec: { ports: [port("UDP", 30_918)] } },
    annotations: { ...NETWORK, "target-group-attributes": "preserve_client_ip.enabled=false" },
    says: /client IP preservation can't be disabled for UDP ports/,
  },
];

export const refusalRow: Row = {
  ...row(
    "A-AN-26",
    `${REFUSALS.length} settings of Services are refused, each for its reason`,
    refuseAll,
  ),
  isLong: true,
};

async function refuseAll(side: Side): Promise<readonly string[]> {
  for (const wanted of REFUSALS) await createService(side, wanted);
  for (const { name, says } of REFUSALS) await refusedWith(side, name, says);
  const names = REFUSALS.map(({ name }) => name);
  await removeServices(side, ...names);
  return names;
}

function portsFrom(nodePort: number) {
  return { ports: twoPorts(nodePort) };
}

/** By its protocol and node port; the port is of neither, as one of TCP and one of UDP may share it. */
function port(protocol: string, nodePort: number) {
  return { name: protocol.toLowerCase(), protocol, port: 53, targetPort: 5353, nodePort };
}
