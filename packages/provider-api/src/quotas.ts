import type { CallContext } from "./call-context.ts";

/** The quotas that one service of a cloud grants our account or project. Shown to operators; nothing is decided by them. */
export interface QuotaSource {
  /** The name that operators use for the service, such as `Octavia`; unique within the provider. */
  readonly service: string;
  /** Returns the quotas that matter here, in display order. Throws ProviderError. */
  list(context: CallContext): Promise<readonly Quota[]>;
}

export interface Quota {
  /** The limited resource, in the service's own words, in the plural: `floating IPs`. */
  readonly resource: string;
  /** The quota's limit; undefined without one. */
  readonly limit: number | undefined;
  /** The used amount, including reservations; undefined if the service does not report it. */
  readonly used: number | undefined;
}
