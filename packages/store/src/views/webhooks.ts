import type {
  Attempt,
  Condition,
  DeliveryState,
  Phase,
  Rules,
  WebhookForm,
} from "@cloudwright/core/model/notifications";

/** A webhook as Settings shows it. Times are milliseconds since the epoch; secrets and whole URLs are never included. */
export interface WebhookView {
  readonly id: string;
  readonly name: string;
  /** The webhook's cluster; undefined for a user's own webhook about all clusters that they may see. */
  readonly cluster: { readonly id: string; readonly name: string } | undefined;
  /** Whether the reader may change it. */
  readonly mayChange: boolean;
  readonly form: WebhookForm;
  /** Scheme and host of the URL. */
  readonly origin: string;
  readonly rules: Rules;
  readonly pausedAt: number | undefined;
  readonly createdBy: string;
  readonly createdAt: number;
  /** Until when the previous secret also signs; undefined when it no longer does. */
  readonly previousUntil: number | undefined;
  /** The last message that has ended, or is being retried. */
  readonly newest: Pick<DeliveryView, "state" | "createdAt" | "problem"> | undefined;
  /** Number of reported conditions that persist. */
  readonly open: number;
}

export interface DeliveryView {
  readonly id: string;
  readonly webhook: { readonly id: string; readonly name: string };
  /** Undefined for a test, and for messages about accounts. */
  readonly cluster: string | undefined;
  readonly clusterName: string;
  readonly condition: Condition | undefined;
  readonly phase: Phase;
  readonly count: number;
  readonly sentence: string;
  readonly path: string;
  readonly state: DeliveryState;
  readonly problem: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly createdAt: number;
  readonly nextAt: number | undefined;
  readonly endedAt: number | undefined;
}

export interface DeliveriesPage {
  /** Newest first. */
  readonly rows: readonly DeliveryView[];
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}
