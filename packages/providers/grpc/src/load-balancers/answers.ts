import type {
  LoadBalancerAbilities,
  LoadBalancerFacts,
  LoadBalancerStatus,
  OwnedLoadBalancer,
} from "@cloudwright/provider-api";
import type {
  LoadBalancerAbilities as AbilitiesMessage,
  LoadBalancerFacts as FactsMessage,
  Ingress,
  OwnedLoadBalancer as OwnedMessage,
  LoadBalancerStatus as StatusMessage,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import { ipFamiliesOf, protocolsOf } from "../wording.ts";

export function abilitiesOf(message: AbilitiesMessage): Omit<LoadBalancerAbilities, "unseen"> {
  const { protocols, families, mixedProtocols, affinity, sourceRanges, requestedAddress } = message;
  const { storesOwner, podTargets, withoutNodePorts, nodeLabels } = message;
  return {
    protocols: protocolsOf(protocols),
    families: ipFamiliesOf(families),
    ...{ mixedProtocols, affinity, sourceRanges, requestedAddress },
    ...{ storesOwner, podTargets, withoutNodePorts, nodeLabels },
    annotationPrefixes: message.annotationPrefixes,
    ignoredFields: message.ignoredFields,
  };
}

export function statusOf({ ingress }: StatusMessage): LoadBalancerStatus {
  return { ingress: ingress.map(placeOf) };
}

function placeOf({ ip, hostname, ipMode, ports }: Ingress): LoadBalancerStatus["ingress"][number] {
  return {
    ...(ip === undefined ? {} : { ip }),
    ...(hostname === undefined ? {} : { hostname }),
    ...(ipMode === "VIP" || ipMode === "Proxy" ? { ipMode } : {}),
    ...(ports.length === 0 ? {} : { ports: ports.map(portOf) }),
  };
}

function portOf({ port, protocol, error }: Ingress["ports"][number]) {
  return { port, protocol, ...(error === undefined ? {} : { error }) };
}

export function factsOf(message: FactsMessage): LoadBalancerFacts {
  const { id, name, type, addresses, state, createdAtMs, loadBalancerClass, parts } = message;
  return {
    ...{ id, name, type, addresses, state },
    ...(createdAtMs === undefined ? {} : { createdAt: Number(createdAtMs) }),
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    parts: parts.map(({ kind, id }) => ({ kind, id })),
  };
}

export function ownedOf({
  clusterUid,
  objectUid,
  service,
  facts,
  costHint,
}: OwnedMessage): OwnedLoadBalancer {
  return {
    owner: { clusterUid, objectUid },
    ...(service === undefined ? {} : { service }),
    facts: facts === undefined ? UNKNOWN : factsOf(facts),
    ...(costHint === undefined ? {} : { costHint }),
  };
}

const UNKNOWN = { id: "", name: "", type: "", addresses: [], state: "", parts: [] };
