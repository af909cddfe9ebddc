import type { CallContext } from "./call-context.ts";
import type { Instances } from "./instances.ts";
import type { LoadBalancers } from "./load-balancers.ts";
import type { QuotaSource } from "./quotas.ts";
import type { Routes } from "./routes.ts";
import type { Volumes } from "./volumes.ts";

/**
 * The export of a cloud plug-in. `apiVersion` guards against a plug-in written for another contract. Source of the capabilities: spec/60 §1
 * and §8; the shapes are DESIGN.md's "Provider".
 */
export interface ProviderPlugin {
  readonly apiVersion: 1;
  /**
   * Creates the provider from the text of `--cloud-config` (undefined when the flag is absent). Throws ProviderError `Invalid`, which names
   * the field, for a config it cannot use. Makes no cloud call.
   */
  create(config: ProviderConfig): Promise<Provider> | Provider;
}

export interface ProviderConfig {
  /** The text of the file, or undefined. */
  readonly text: string | undefined;
  /** The path of the file, for messages. */
  readonly path: string | undefined;
  readonly userAgent: string;
  /** Logs a sentence for the operator: what in the config is ignored, what was read again. Never a secret. */
  warn?(message: string): void;
}

/** One cloud. Every capability is optional: an absent one is not supported, and its controller is not started. */
export interface Provider {
  /** Scheme of provider IDs and prefix of messages. */
  readonly name: string;
  /** Whether the config names a cluster in the cloud; if not, the process refuses to start (`--allow-untagged-cloud`). */
  readonly hasClusterId: boolean;
  readonly instances?: Instances;
  readonly zones?: true;
  /** How long the cloud may take for one answer, milliseconds; 10,000 unless given. */
  readonly answerTimeoutMs?: number;
  readonly loadBalancers?: LoadBalancers;
  readonly routes?: Routes;
  readonly volumes?: Volumes;
  /** Read by the leader now and then, for display. */
  readonly quotas?: readonly QuotaSource[];
  /** Additional metrics of requests and runs, for dashboards made for upstream's manager of this cloud. */
  readonly upstreamMetrics?: UpstreamMetrics;
  /**
   * Called once the lease is held, before any controller starts; ends with the signal. `clusterUid` is undefined while the API server does
   * not let this process read it: until then only nodes and volumes are served, and nothing is created that carries an owner. A provider
   * that cannot start without it throws, gets no work, and is called again once the UID is known.
   */
  initialize?(context: {
    readonly clusterUid: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /**
   * Compares the configuration with the cloud, and returns what it names that the cloud lacks or has differently. Only reads. Called when a
   * process begins to lead, and by `cloudwright doctor`; the problems are reported and stop nothing. Throws ProviderError when nothing
   * could be compared.
   */
  checkConfig?(context: CallContext): Promise<readonly ConfigProblem[]>;
  /** Closes connections. */
  close?(): Promise<void>;
}

export interface ConfigProblem {
  /** The option with the problem, as the configuration spells it: `[Route] router-id`. */
  readonly option: string;
  /** One sentence for the operator that begins with the option: what is wrong, and what to do. Never a secret. */
  readonly message: string;
}

/** Prefixes of the metrics of upstream's manager of a cloud. */
export interface UpstreamMetrics {
  /**
   * `openstack_api`: `openstack_api_requests_total`, `openstack_api_request_errors_total` and `openstack_api_request_duration_seconds`,
   * with the call's operation as the label `request`.
   */
  readonly requests: string;
  /**
   * `cloudprovider_openstack_reconcile`: `…_total`, `…_errors_total` and `…_duration_seconds` of runs for a Service, with the label
   * `operation`: `loadbalancer_ensure`, `loadbalancer_update` (members only) or `loadbalancer_delete`.
   */
  readonly reconciles: string;
}
