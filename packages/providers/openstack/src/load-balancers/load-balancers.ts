import type { CallContext, LoadBalancers, OwnedLoadBalancer } from "@cloudwright/provider-api";
import type { OpenStackClient } from "../api/client.ts";
import { ANNOTATION_PREFIX, INTERNAL_ANNOTATION } from "./annotations.ts";
import { applyChange, type Turns } from "./apply.ts";
import type { LoadBalancerConfig } from "./networks.ts";
import { observeLoadBalancers } from "./observe.ts";
import type { FloatingIp, ObservedLoadBalancer, SecurityGroup } from "./observed.ts";
import { loadBalancerName, type Marked, marksOf } from "./ownership.ts";
import { planLoadBalancer } from "./plan/plan.ts";
import { createReads } from "./reads.ts";
import { factsOf } from "./view.ts";

export interface LoadBalancersOptions {
  readonly client: OpenStackClient;
  readonly config: LoadBalancerConfig;
  /** Returns milliseconds since the epoch; the machine's clock by default. */
  now?(): number;
  /** The minimum age in milliseconds of a load balancer whose creation failed before it is re-created; a minute by default. */
  readonly retryBrokenMs?: number;
}

const RETRY_BROKEN_MS = 60_000;

/** Creates load balancers of Octavia, with floating IPs and security groups of Neutron (spec/providers/openstack §6). */
export function createLoadBalancers({
  client,
  config,
  now = Date.now,
  retryBrokenMs = RETRY_BROKEN_MS,
}: LoadBalancersOptions): LoadBalancers<ObservedLoadBalancer> {
  const turns: Turns = new Map();
  const isOvn = config.loadBalancer.lbProvider === "ovn";
  return {
    abilities: {
      protocols: ["TCP", "UDP", "SCTP"],
      mixedProtocols: true,
      families: ["IPv4", "IPv6"],
      affinity: true,
      sourceRanges: true,
      requestedAddress: true,
      withoutNodePorts: true,
      nodeLabels: true,
      annotationPrefixes: [ANNOTATION_PREFIX, INTERNAL_ANNOTATION],
      ignoredFields: [
        ...["admin_state_up", "description", "names of listeners, pools and monitors", "weights"],
        ...(isOvn ? ["timeouts", "allowed_cidrs"] : []),
      ],
    },
    observe: (owners, context) =>
      observeLoadBalancers({ reads: createReads(client, context), config, context, now }, owners),
    plan: (input) => planLoadBalancer({ ...config, retryBrokenMs }, input),
    apply: (change, context) => applyChange({ client, turns }, change, context),
    upstreamName: loadBalancerName,
    owned: (clusterUid, context) => listOwned(client, clusterUid, context),
  };
}

/** Includes floating IPs and security groups left without their load balancer. */
async function listOwned(
  client: OpenStackClient,
  clusterUid: string,
  context: CallContext,
): Promise<readonly OwnedLoadBalancer[]> {
  const reads = createReads(client, context);
  const [loadBalancers, floatingIps, groups] = await Promise.all([
    reads.loadBalancers(),
    reads.floatingIps(),
    reads.securityGroups({ fields: ["id", "name", "description", "tags"] }),
  ]);
  const served = new Set<string>();
  const isOurs = (thing: Pick<Marked, "tags" | "description">) =>
    marksOf(thing).clusterUid === clusterUid;
  const whole = loadBalancers.filter(isOurs).flatMap((loadBalancer) =>
    marksOf(loadBalancer).services.map(({ uid, service }): OwnedLoadBalancer => {
      served.add(uid);
      const owner = { clusterUid, objectUid: uid };
      const facts = factsOf(owner, loadBalancer, { floatingIps });
      return { owner, facts, ...(service === undefined ? {} : { service }) };
    }),
  );
  const alone = [
    ...floatingIps.filter(isOurs).map((one) => strayOf(one, "floating IP")),
    ...groups.filter(isOurs).map((one) => strayOf(one, "security group")),
  ].filter(({ uid }) => !served.has(uid));
  return [
    ...whole,
    ...alone.map(({ uid, facts }) => ({ owner: { clusterUid, objectUid: uid }, facts })),
  ];
}

interface Stray {
  readonly uid: string;
  readonly facts: OwnedLoadBalancer["facts"];
}

/** Shows something left without its load balancer as itself. */
function strayOf(thing: FloatingIp | SecurityGroup, type: string): Stray {
  const { id } = thing;
  const address = "floating_ip_address" in thing ? thing.floating_ip_address : "";
  const name = "name" in thing ? thing.name : address;
  const [service] = marksOf(thing).services;
  return {
    uid: service?.uid ?? "",
    facts: {
      ...{ id, name: name || id, type, state: "without a load balancer", parts: [] },
      addresses: address === "" ? [] : [address],
    },
  };
}
