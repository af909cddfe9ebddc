import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  LoadBalancerListener,
  LoadBalancerMember,
  LoadBalancerOwner,
  LoadBalancerSpec,
  LoadBalancerStatus,
} from "@cloudwright/provider-api";
import type { SourceObject } from "../connection.ts";
import type {
  ListenerSchema,
  LoadBalancerOwnerSchema,
  LoadBalancerSpecSchema,
  LoadBalancerStatusSchema,
  MemberSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";
import type { RefOf } from "../object-sync.ts";

/** The objects behind a specification, if the provider needs them. */
export interface NamedObjects {
  readonly service: SourceObject | undefined;
  /** In the order of the members. */
  readonly nodes: readonly (SourceObject | undefined)[];
}

export const NO_OBJECTS: NamedObjects = { service: undefined, nodes: [] };

export function ownerMessage(
  owner: LoadBalancerOwner,
  { service }: Pick<NamedObjects, "service">,
  refOf: RefOf,
): MessageInitShape<typeof LoadBalancerOwnerSchema> {
  const { published = [], annotations = {}, loadBalancerClass, ...identity } = owner;
  const ref = refOf(service);
  return {
    ...identity,
    ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
    published: [...published],
    annotations,
    ...(ref === undefined ? {} : { service: ref }),
  };
}

export function specMessage(
  spec: LoadBalancerSpec,
  objects: NamedObjects,
  refOf: RefOf,
): MessageInitShape<typeof LoadBalancerSpecSchema> {
  const { internal, listeners, targets, members, sourceRanges, healthCheck, affinity } = spec;
  const owner = { ...spec.owner, annotations: spec.annotations };
  return {
    owner: ownerMessage(owner, objects, refOf),
    internal,
    listeners: listeners.map(listenerMessage),
    targetsPods: targets === "pods",
    members: members.map((member, index) => memberMessage(member, objects.nodes[index], refOf)),
    sourceRanges: [...sourceRanges],
    healthCheck,
    ...(affinity.kind === "none" ? {} : { affinityTimeoutSeconds: affinity.timeoutSeconds }),
    families: [...spec.families],
    ...(spec.requestedAddress === undefined ? {} : { requestedAddress: spec.requestedAddress }),
  };
}

function listenerMessage({
  targetPort,
  ...listener
}: LoadBalancerListener): MessageInitShape<typeof ListenerSchema> {
  return { ...listener, ...(targetPort === undefined ? {} : { targetPort: String(targetPort) }) };
}

/** A provider that has the Node finds all details there, so that they are not sent for a whole fleet with each call. */
function memberMessage(
  { nodeName, providerID, addresses, labels = {} }: LoadBalancerMember,
  object: SourceObject | undefined,
  refOf: RefOf,
): MessageInitShape<typeof MemberSchema> {
  const node = refOf(object);
  if (node !== undefined) return { nodeName, node };
  return { nodeName, providerId: providerID, addresses: [...addresses], labels };
}

export function statusMessage({
  ingress,
}: LoadBalancerStatus): MessageInitShape<typeof LoadBalancerStatusSchema> {
  return { ingress: ingress.map(({ ports = [], ...at }) => ({ ...at, ports: [...ports] })) };
}
