import type { Grant } from "./shipped-roles.ts";

/** A cluster that the suite may write to, with a few operations that the Kubernetes API alone does not offer. */
export interface ClusterUnderTest {
  readonly kind: "sandbox" | "testcluster" | "file";
  /** An administrator's kubeconfig, for the rows themselves. */
  readonly kubeconfig: string;
  /**
   * The kubeconfig of all controllers: a service account with only the roles of `deploy/rbac`. The administrator's if the cluster
   * is not ours.
   */
  readonly controllerKubeconfig: string;
  /** What `--without` removes from every grant of the shipped roles. */
  readonly less: Pick<Grant, "change">;
  /** Returns requests that the shipped roles of their accounts have not allowed so far; undefined if none are recorded. */
  refusals(): Promise<readonly SeenRequest[] | undefined>;
  /** Makes the API refuse some writes until the returned function is called. */
  refuse(rule: Refusal): Promise<() => Promise<void>>;
  /** Returns the number of writes so far that name this object; undefined if none are recorded. */
  writes(resource: string, name: string): Promise<number | undefined>;
  /** Returns the writes so far to this Service of the namespace `default`, oldest first; undefined if none are recorded. */
  serviceWrites(name: string): Promise<readonly SeenWrite[] | undefined>;
  /**
   * Returns this service account's requests so far, oldest first; by default in the suite's namespace for accounts without a
   * role. Undefined if none are recorded.
   */
  requestsOf(account: string, namespace?: string): Promise<readonly SeenRequest[] | undefined>;
  /** Kills the API server; resolves when it serves the same data again. Absent if it is not ours to kill. */
  readonly restart?: () => Promise<void>;
  /** Makes it impossible to watch from any resource version known so far. Absent as above. */
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
  /** When the API server received it, milliseconds since the epoch. */
  readonly at: number;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
}

export interface SeenWrite extends SeenRequest {
  /** The request body; undefined if it was too long or not JSON. */
  readonly body: unknown;
}

export type OpenedCluster = Omit<ClusterUnderTest, "controllerKubeconfig" | "less">;
