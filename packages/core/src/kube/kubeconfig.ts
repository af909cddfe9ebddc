import type { Clock } from "../model/time.ts";

export interface KubeConfigOptions {
  /** `--kubeconfig`. */
  readonly kubeconfig?: string;
  /** `--master`: overrides the kubeconfig's server. */
  readonly master?: string;
  readonly clock: Clock;
}

/** Where the API server is and how to prove who we are. */
export interface ClusterAccess {
  /** Base URL without a slash at its end. */
  readonly server: string;
  /** For logs: the file, or that we run in the cluster. Holds no secret. */
  readonly source: string;
  /** What the next request needs. Files, tokens and plug-ins are read again as they age. Throws KubeError `Unauthorized`. */
  credentials(): Promise<Credentials>;
  /** Forgets what is cached, after the API server refused it. */
  renew(): void;
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly tls: TlsOptions;
  readonly proxyUrl?: string;
}

export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

export declare function loadKubeConfig(options: KubeConfigOptions): Promise<ClusterAccess>;
