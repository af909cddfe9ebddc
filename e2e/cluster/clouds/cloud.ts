import type { Node } from "../../harness/kube.ts";
import type { LabStatus } from "../lab.ts";

/** The cloud that has the machines of the cluster's nodes, as somebody at its console sees it. */
export interface ClusterCloud {
  readonly values: CloudValues;
  /** Throws unless the Node has what the cloud says of its machine. */
  demandFacts(node: Node): Promise<void>;
  /** Throws unless one load balancer has this address and leads to these nodes. */
  demandLoadBalancer(address: string, nodes: readonly string[]): Promise<void>;
  /** What of load balancers there is, for people to read. */
  loadBalancers(): Promise<readonly string[]>;
  stop(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Of the chart: what an operator writes for this cloud. */
export interface CloudValues {
  readonly cloud: {
    readonly provider: string;
    readonly key?: string;
    readonly config?: string;
    readonly existingSecret?: string;
  };
  readonly flags: Readonly<Record<string, string | boolean>>;
}

/** Starts what needs no cluster; throws with why it cannot be had here. */
export type PrepareCloud = () => Promise<PreparedCloud>;

export interface PreparedCloud {
  /** Where its load balancers have their addresses. */
  readonly route: string;
  /** On the one address that pods reach, with a machine for each node. */
  open(options: CloudOptions): Promise<ClusterCloud>;
  close(): Promise<void>;
}

export interface CloudOptions {
  readonly status: LabStatus;
  readonly dir: string;
  /** In the release's namespace, from files of these names. */
  createSecret(name: string, files: Readonly<Record<string, string>>): Promise<void>;
}
