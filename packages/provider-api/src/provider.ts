import type { CallContext } from "./call-context.ts";
import type { Instances } from "./instances.ts";
import type { LoadBalancers } from "./load-balancers.ts";
import type { QuotaSource } from "./quotas.ts";
import type { Routes } from "./routes.ts";
import type { Volumes } from "./volumes.ts";

/**
 * What a cloud plug-in exports. `apiVersion` guards against a plug-in written for another contract.
 * Source of the capabilities: spec/60 §1 and §8; the shapes are DESIGN.md's "Provider".
 */
export interface ProviderPlugin {
  readonly apiVersion: 1;
  /**
   * Builds the provider from the text of `--cloud-config` (undefined when the flag is absent).
   * Throws ProviderError `Invalid` naming the field for a config it cannot use. Makes no cloud call.
   */
  create(config: ProviderConfig): Promise<Provider> | Provider;
}

export interface ProviderConfig {
  /** The text of the file, or undefined. */
  readonly text: string | undefined;
  /** Its path, for messages. */
  readonly path: string | undefined;
  readonly userAgent: string;
  /** Says a sentence to the operator, in the log: what of the config is ignored, what was read anew. Never a secret. */
  warn?(message: string): void;
}

/** One cloud. Every ability is optional: what is absent is not supported, and its loop is not started. */
export interface Provider {
  /** Scheme of provider IDs and prefix of messages. */
  readonly name: string;
  /** Whether the config names a cluster in the cloud; without it the process refuses to start (`--allow-untagged-cloud`). */
  readonly hasClusterId: boolean;
  readonly instances?: Instances;
  readonly zones?: true;
  /** Milliseconds that the cloud has for one answer; 10,000 unless given. */
  readonly answerTimeoutMs?: number;
  readonly loadBalancers?: LoadBalancers;
  readonly routes?: Routes;
  readonly volumes?: Volumes;
  /** Read by the leader from time to time, to be shown. */
  readonly quotas?: readonly QuotaSource[];
  /** How requests and runs are counted besides our own metrics, for dashboards that were made for upstream's manager of this cloud. */
  readonly upstreamMetrics?: UpstreamMetrics;
  /**
   * Called once after the lease is held, before any loop; ends with the signal. `clusterUid` is undefined while the API server
   * does not let this process read it: nodes and volumes are served then, and nothing is made that carries an owner. One that
   * cannot begin without it throws, is given no work, and is called again when it is known.
   */
  initialize?(context: {
    readonly clusterUid: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /**
   * Compares the configuration with the cloud, and answers what that does not have of what is named there, or has in another way. Reads
   * only. Asked when a process begins to lead, and by `cloudwright doctor`; what it answers is reported and stops nothing. Throws
   * ProviderError when nothing could be compared.
   */
  checkConfig?(context: CallContext): Promise<readonly ConfigProblem[]>;
  /** Closes connections. */
  close?(): Promise<void>;
}

export interface ConfigProblem {
  /** What is wrong, in the words of the configuration: `[Route] router-id`. */
  readonly option: string;
  /** One sentence for the operator that begins with the option: what is wrong, and what to do. Never a secret. */
  readonly message: string;
}

/** Prefixes of metrics that upstream's manager of a cloud has. */
export interface UpstreamMetrics {
  /**
   * `openstack_api`: `openstack_api_requests_total`, `openstack_api_request_errors_total` and
   * `openstack_api_request_duration_seconds`, with the label `request`: the call's operation.
   */
  readonly requests: string;
  /**
   * `cloudprovider_openstack_reconcile`: `…_total`, `…_errors_total` and `…_duration_seconds` of runs for a Service, with the label
   * `operation`: `loadbalancer_ensure`, `loadbalancer_update` (members alone) or `loadbalancer_delete`.
   */
  readonly reconciles: string;
}
