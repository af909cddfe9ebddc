import type { CallContext } from "./call-context.ts";

/** What one service of a cloud grants the account or project that we work in. Shown to operators; nothing is decided by it. */
export interface QuotaSource {
  /** What operators call the service, such as `Octavia`; no other source of the provider has the same name. */
  readonly service: string;
  /** Its quotas of what matters here, in the order to show them. Throws ProviderError. */
  list(context: CallContext): Promise<readonly Quota[]>;
}

export interface Quota {
  /** What it limits, as the service calls it, in the plural: `floating IPs`. */
  readonly resource: string;
  /** How much there may be; undefined without a limit. */
  readonly limit: number | undefined;
  /** How much there is, with what is reserved; undefined where the service does not say. */
  readonly used: number | undefined;
}
