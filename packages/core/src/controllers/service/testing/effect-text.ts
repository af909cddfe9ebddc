import { objectName } from "../../../model/object-ref.ts";
import type { EventEffect, MetricEffect } from "../../../reconcile/effects.ts";

export function textOfEvent({ target, event: { reason, message } }: EventEffect): string {
  const name = objectName({ ...target, kind: "Service" });
  return `${name} ${reason}${message.startsWith("Error") ? `: ${message}` : ""}`;
}

export function textOfMetric({ name, labels }: MetricEffect): readonly string[] {
  const word = METRIC_LABELS[name];
  if (word === undefined) throw new Error(`The metric ${name} is not known here.`);
  return word === "" ? [] : [`${word}${labels?.change ?? ""}`];
}

/** One word for each update: the timing metric belongs to the counting one. */
const METRIC_LABELS: Readonly<Record<string, string>> = {
  service_controller_loadbalancer_sync_total: "member update",
  service_controller_update_loadbalancer_host_latency_seconds: "",
  service_controller_nodesync_error_total: "member update failed",
  service_controller_nodesync_latency_seconds: "node sync",
  cloudwright_load_balancer_drift_corrected_total: "drift ",
};
