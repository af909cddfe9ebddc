import type {
  Attempt,
  Condition,
  DeliveryState,
  Phase,
  Rules,
  WebhookForm,
} from "@cloudwright/core/model/notifications";

/** What Settings shows of webhooks. Times are milliseconds since the epoch; secrets and whole URLs are in none of them. */
export interface WebhookView {
  readonly id: string;
  readonly name: string;
  /** Of one cluster; undefined for the user's own, about all clusters that they may see. */
  readonly cluster: { readonly id: string; readonly name: string } | undefined;
  /** Whether who asks may change it. */
  readonly mayChange: boolean;
  readonly form: WebhookForm;
  /** Scheme and host of the URL. */
  readonly origin: string;
  readonly rules: Rules;
  readonly pausedAt: number | undefined;
  readonly createdBy: string;
  readonly createdAt: number;
  /** Until when the secret before this one signs as well; undefined where it does not. */
  readonly previousUntil: number | undefined;
  /** Of the last message that ended, or is being tried again. */
  readonly newest: Pick<DeliveryView, "state" | "createdAt" | "problem"> | undefined;
  /** Conditions that it was notified of and that last. */
  readonly open: number;
}

export interface DeliveryView {
  readonly id: string;
  readonly webhook: { readonly id: string; readonly name: string };
  /** Undefined for a test, and for what concerns accounts. */
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
  /** Hands on to the next page; undefined on the last one. */
  readonly next: string | undefined;
}
