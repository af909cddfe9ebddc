import {
  HOLD_ANNOTATION,
  HOLD_BY_ANNOTATION,
  HOLD_UNTIL_ANNOTATION,
} from "@cloudwright/core/controllers/hold/hold";
import { OVERRIDE_ANNOTATION } from "@cloudwright/core/controllers/node/actions/override";
import { LABEL_PAIRS } from "@cloudwright/core/controllers/node/labels";
import {
  CLOUD_LABELS_ANNOTATION,
  PROVIDED_NODE_IP_ANNOTATION,
  SHUTDOWN_TAINT,
} from "@cloudwright/core/controllers/objects/node-object";
import {
  CONDITION_MESSAGES,
  NETWORK_UNAVAILABLE,
} from "@cloudwright/core/controllers/route/changes";
import {
  AUTOSCALER_TAINT,
  EXCLUDE_LABEL,
} from "@cloudwright/core/controllers/service/members/members";
import {
  CLASS_ANNOTATION,
  FINALIZER,
  READY_CONDITION,
  SOURCE_RANGES_ANNOTATION,
} from "@cloudwright/core/controllers/service/service-object";
import {
  BETA_REGION_LABEL,
  BETA_ZONE_LABEL,
  REGION_LABEL,
  ZONE_LABEL,
} from "@cloudwright/core/controllers/volume/topology";
import {
  BETA_CLASS_ANNOTATION,
  PROVISIONED_BY_ANNOTATION,
} from "@cloudwright/core/controllers/volume/volume-object";
import { UNINITIALIZED_TAINT } from "@cloudwright/core/model/taints";

interface Name {
  readonly name: string;
  readonly on: string;
  /** Who sets it. */
  readonly by: string;
  /** The description, a sentence. */
  readonly says: string;
}

const [OLD_TYPE, TYPE] = LABEL_PAIRS.type;
const OURS = "Cloudwright";
const HOLDABLE = "Node, Service, PersistentVolume";

const ANNOTATIONS: readonly Name[] = [
  {
    name: HOLD_ANNOTATION,
    on: HOLDABLE,
    by: "you, or the action *Hold*",
    says: "Nothing is written to the object, or in the cloud for it, as long as the annotation is there. Its value says why. See [Nodes](nodes.md#what-you-can-do).",
  },
  {
    name: HOLD_UNTIL_ANNOTATION,
    on: HOLDABLE,
    by: "you, or the action *Hold*",
    says: "When the hold ends by itself, in RFC 3339. Without it the hold has no end.",
  },
  {
    name: HOLD_BY_ANNOTATION,
    on: HOLDABLE,
    by: "the action *Hold*",
    says: "The user who requested the hold.",
  },
  {
    name: OVERRIDE_ANNOTATION,
    on: "Node",
    by: OURS,
    says: "Records who had the uninitialized taint removed although the cloud did not answer, why, and until when. It is never read as permission: writing it has no effect.",
  },
  {
    name: CLOUD_LABELS_ANNOTATION,
    on: "Node",
    by: OURS,
    says: "The labels of the node that follow the cloud. If you remove the annotation, they are left as they are from then on. See [Nodes](nodes.md).",
  },
  {
    name: CLASS_ANNOTATION,
    on: "Service",
    by: OURS,
    says: "The class under which the Service is served, for its clean-up: the API server drops the class when the type changes. See [Classes](service.md#classes).",
  },
  {
    name: SOURCE_RANGES_ANNOTATION,
    on: "Service",
    by: "you",
    says: "Who may connect, as a list of networks. Read only if `spec.loadBalancerSourceRanges` is empty, as upstream does.",
  },
  {
    name: PROVIDED_NODE_IP_ANNOTATION,
    on: "Node",
    by: "the kubelet (`--node-ip`)",
    says: "Which address of the node comes first. An address that the cloud does not list keeps the node uninitialised, as with upstream.",
  },
  {
    name: PROVISIONED_BY_ANNOTATION,
    on: "PersistentVolume",
    by: "provisioners",
    says: "The labels for zone and region that the provisioner wrote are trusted.",
  },
  {
    name: BETA_CLASS_ANNOTATION,
    on: "PersistentVolumeClaim",
    by: "you",
    says: "The claim's storage class, from before there was a field; it takes precedence over the field, as in the API server.",
  },
];

const LABELS: readonly Name[] = [
  {
    name: TYPE,
    on: "Node",
    by: OURS,
    says: `The machine's type. Its predecessor \`${OLD_TYPE}\` is set as well.`,
  },
  {
    name: ZONE_LABEL,
    on: "Node, PersistentVolume",
    by: OURS,
    says: `The zone. On nodes, the predecessor \`${BETA_ZONE_LABEL}\` is set as well; on volumes, a pair of predecessors stays as it is.`,
  },
  {
    name: REGION_LABEL,
    on: "Node, PersistentVolume",
    by: OURS,
    says: `The region. Predecessor: \`${BETA_REGION_LABEL}\`.`,
  },
  {
    name: EXCLUDE_LABEL,
    on: "Node",
    by: "you, or kubeadm on control planes",
    says: "Keeps the node out of all load balancers, with any value except a spelling of *false*.",
  },
];

const TAINTS: readonly Name[] = [
  {
    name: UNINITIALIZED_TAINT,
    on: "Node",
    by: "the kubelet (`--cloud-provider=external`)",
    says: "Removed once the node has its provider ID, addresses and labels. Adding it again initialises the node again.",
  },
  {
    name: SHUTDOWN_TAINT,
    on: "Node",
    by: OURS,
    says: "The cloud says that the machine is stopped, and the node is not ready. Removed when it runs again, or the node is ready.",
  },
  {
    name: AUTOSCALER_TAINT,
    on: "Node",
    by: "the cluster autoscaler",
    says: "The node leaves the load balancers, because it is about to be removed.",
  },
];

const FINALIZERS: readonly Name[] = [
  {
    name: FINALIZER,
    on: "Service",
    by: OURS,
    says: "Keeps a deleted Service until the cloud shows that nothing of its load balancer is left. The name is upstream's, so either manager cleans up after the other.",
  },
];

/** Returns docs/names.md: what Cloudwright reads and writes on objects of the cluster, from the constants in the source. */
export function namesPage(): string {
  return `# Annotations, labels, taints, finalizers and conditions

What Cloudwright reads and writes on objects of the cluster. Names under \`cloudwright.io/\` are its own; all others are those of
Kubernetes and of upstream's cloud controller manager. Providers also read annotations of Services: [OpenStack](providers/openstack.md#annotations-of-services),
[the sandbox](providers.md#the-sandbox-provider).

## Annotations

${table(ANNOTATIONS)}

## Labels

${table(LABELS)}

## Taints

${table(TAINTS)}

## Finalizers

${table(FINALIZERS)}

## Conditions

| condition | on | status | reason | when |
|---|---|---|---|---|
| \`${READY_CONDITION}\` | Service | True | \`BalancerInStep\` | The load balancer is as the Service asks, and its address is published. |
| | | False | a code of [the reasons](reasons.md#services-and-load-balancers) | Somebody has to act, no node can serve it, or it failed three times in a row. See [The condition](service.md#the-condition). |
| \`${NETWORK_UNAVAILABLE}\` | Node | False | \`RouteCreated\` | *${CONDITION_MESSAGES.RouteCreated}*: every pod range of the node has its route. |
| | | True | \`NoRouteCreated\` | *${CONDITION_MESSAGES.NoRouteCreated}*. Kubernetes then keeps pods away from the node. See [Routes](routes.md#the-condition-and-your-cni). |
| \`Ready\` | Node | False, Unknown | any | Only read: a node is tainted as stopped, or deleted, only while it is not ready. |

Written from the source by \`npx tsx scripts/docs/write-pages.ts\`.
`;
}

function table(names: readonly Name[]): string {
  const rows = names.map(({ name, on, by, says }) => `| \`${name}\` | ${on} | ${by} | ${says} |`);
  return `| name | on | set by | what it says |\n|---|---|---|---|\n${rows.join("\n")}`;
}
