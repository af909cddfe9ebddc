import type { Instances } from "./instances.ts";
import type { LoadBalancers } from "./load-balancers.ts";
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
  readonly loadBalancers?: LoadBalancers;
  readonly routes?: Routes;
  readonly volumes?: Volumes;
  /**
   * Called once after the lease is held, before any loop; ends with the signal. `clusterUid` is undefined while the API server
   * does not let this process read it: nodes and volumes are served then, and nothing is made that carries an owner. One that
   * cannot begin without it throws, is given no work, and is called again when it is known.
   */
  initialize?(context: {
    readonly clusterUid: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Closes connections. */
  close?(): Promise<void>;
}
