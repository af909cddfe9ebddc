import type { Grant } from "./shipped-roles.ts";

/** A cluster that the suite may write to, and the few things that the Kubernetes API alone does not offer. */
export interface ClusterUnderTest {
  readonly kind: "sandbox" | "testcluster" | "file";
  /** An administrator's, for the rows themselves. */
  readonly kubeconfig: string;
  /**
   * That of all controllers: the service account with the roles of `deploy/rbac` and nothing else. The administrator's where
   * the cluster is not ours.
   */
  readonly controllerKubeconfig: string;
  /** What `--without` takes from every grant of the shipped roles. */
  readonly less: Pick<Grant, "change">;
  /** Requests of accounts with the shipped roles that these did not allow so far; undefined where no record is kept. */
  refusals(): Promise<readonly SeenRequest[] | undefined>;
  /** Makes the API refuse some writes until the answer is called. */
  refuse(rule: Refusal): Promise<() => Promise<void>>;
  /** Writes to the API so far that name this object, or undefined where no such record is kept. */
  writes(resource: string, name: string): Promise<number | undefined>;
  /** Writes to this Service of the namespace `default` so far, oldest first; undefined where no record is kept. */
  serviceWrites(name: string): Promise<readonly SeenWrite[] | undefined>;
  /**
   * What this service account asked so far, oldest first; one of the suite's own without a role unless another namespace is
   * given. Undefined where no record is kept.
   */
  requestsOf(account: string, namespace?: string): Promise<readonly SeenRequest[] | undefined>;
  /** Kills the API server; resolves when it serves again what it had. Absent where it is not ours to kill. */
  readonly restart?: () => Promise<void>;
  /** Makes it impossible to watch from any resource version that is known by now. Absent as above. */
  readonly forgetVersions?: () => Promise<void>;
  close(): Promise<void>;
}

export interface Refusal {
  readonly name: string;
  readonly verb: "DELETE" | "PATCH" | "PATCH_STATUS";
  readonly node: string;
  readonly message: string;
}

export interface SeenRequest {
  /** When the API server took it, milliseconds since the epoch. */
  readonly at: number;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
}

export interface SeenWrite extends SeenRequest {
  /** What was sent; undefined where it was too long or no JSON. */
  readonly body: unknown;
}

export type OpenedCluster = Omit<ClusterUnderTest, "controllerKubeconfig" | "less">;
