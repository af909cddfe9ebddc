/** An Event whose name is not the code of a reason. */
export interface EventDefinition {
  readonly on: "ConfigMap" | "Lease" | "Node" | "PersistentVolumeClaim" | "Service" | "any object";
  readonly type: "Normal" | "Warning";
  /** Set if upstream's controllers send it under the same name. */
  readonly isUpstreams?: true;
  /** When it is sent, as a sentence without its full stop. */
  readonly when: string;
}

const upstreams = { isUpstreams: true } as const;
const onNode = { on: "Node", ...upstreams } as const;
const onService = { on: "Service", ...upstreams } as const;
const onControls = { on: "ConfigMap" } as const;

/** All of them, by the reason in `kubectl get events`; docs/events.md is generated from this. */
export const EVENTS = {
  Synced: { ...onNode, type: "Normal", when: "The node was initialised" },
  DeletingNode: {
    ...onNode,
    type: "Normal",
    when: "The node is deleted, because its machine no longer exists",
  },
  DeletingNodeFailed: {
    ...onNode,
    type: "Warning",
    when: "The API server refused to delete the node, with its message",
  },
  CIDRNotAvailable: {
    ...onNode,
    type: "Warning",
    when: "The cluster has no pod range left for the node",
  },
  CIDRAssignmentFailed: {
    ...onNode,
    type: "Warning",
    when: "The node's pod range could not be written, with the cause",
  },
  FailedToCreateRoute: {
    ...onNode,
    type: "Warning",
    when: "A route to the node's pods could not be created, with the cause",
  },
  TaintOverridden: {
    on: "Node",
    type: "Normal",
    when: "An admin removed the uninitialized taint although the cloud does not answer",
  },
  EnsuringLoadBalancer: {
    ...onService,
    type: "Normal",
    when: "The controller starts to create or change the load balancer",
  },
  EnsuredLoadBalancer: {
    ...onService,
    type: "Normal",
    when: "The load balancer is as the Service asks",
  },
  UpdatedLoadBalancer: {
    ...onService,
    type: "Normal",
    when: "The nodes behind the load balancer were changed",
  },
  DeletingLoadBalancer: {
    ...onService,
    type: "Normal",
    when: "The controller starts to delete the load balancer",
  },
  DeletedLoadBalancer: {
    ...onService,
    type: "Normal",
    when: "The cloud shows that nothing of the load balancer is left",
  },
  AdoptedLoadBalancer: {
    on: "Service",
    type: "Normal",
    when: "The Service has taken over a load balancer that another manager created, with the proofs",
  },
  UnAvailableLoadBalancer: {
    ...onService,
    type: "Warning",
    when: "No node can be behind the load balancer",
  },
  SyncLoadBalancerFailed: {
    ...onService,
    type: "Warning",
    when: "The Service could not be served, or the cloud calls its load balancer broken, with the cause",
  },
  UpdateLoadBalancerFailed: {
    ...onService,
    type: "Warning",
    when: "The nodes behind the load balancer could not be changed, with their names and the cause",
  },
  DeleteLoadBalancerFailed: {
    ...onService,
    type: "Warning",
    when: "The Service was deleted without its finalizer and left a load balancer that has no owner",
  },
  VolumeResizeSuccessful: {
    on: "PersistentVolumeClaim",
    ...upstreams,
    type: "Normal",
    when: "The disk of the claim's volume has grown",
  },
  VolumeResizeFailed: {
    on: "PersistentVolumeClaim",
    ...upstreams,
    type: "Warning",
    when: "The disk of the claim's volume could not grow, with the cause",
  },
  Held: {
    on: "any object",
    type: "Normal",
    when: "A user holds the object: nothing is written to it until the hold ends",
  },
  Released: {
    on: "any object",
    type: "Normal",
    when: "A user released the hold, or it has expired",
  },
  LeaderElection: {
    on: "Lease",
    ...upstreams,
    type: "Normal",
    when: "A process became the leader, or stopped leading",
  },
  ControllerPaused: { ...onControls, type: "Normal", when: "A user paused a controller" },
  ControllerResumed: {
    ...onControls,
    type: "Normal",
    when: "A user resumed a controller, or its pause has expired",
  },
  DeletionGuardHeld: {
    ...onControls,
    type: "Warning",
    when: "The deletion guard holds more nodes than before; repeated as long as it does",
  },
  DeletionGuardReleased: {
    ...onControls,
    type: "Normal",
    when: "An admin released deletions that the guard held",
  },
  SettingChanged: {
    ...onControls,
    type: "Normal",
    when: "An admin changed a setting while controllers ran, or set it back to the flag",
  },
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type EventReason = keyof typeof EVENTS;
