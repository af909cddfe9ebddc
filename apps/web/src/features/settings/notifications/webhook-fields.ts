import type { DeliveryView, WebhookView } from "@cloudwright/store/views/webhooks";
import { type Field, field, timeField } from "../../../components/table/field.ts";
import { DELIVERY_PRESENTATION, FORM_LABELS, messageKind, rulesText } from "./webhook-words.ts";

/** The fields of the export of webhooks: of a URL only its origin, because the rest may be secret. */
export const WEBHOOK_FIELDS: readonly Field<WebhookView>[] = [
  field("name", "Name", ({ name }) => name),
  field("cluster", "Cluster", ({ cluster }) => cluster?.name),
  field("clusterId", "Cluster id", ({ cluster }) => cluster?.id),
  field("origin", "Address", ({ origin }) => origin),
  field("form", "Form", ({ form }) => FORM_LABELS[form]),
  field("rules", "Conditions", ({ rules }) => rulesText(rules)),
  field("state", "State", ({ pausedAt }) => (pausedAt === undefined ? "Active" : "Paused")),
  timeField("paused", "Paused since", ({ pausedAt }) => pausedAt),
  field("newest", "Last delivery", ({ newest }) =>
    newest === undefined ? undefined : DELIVERY_PRESENTATION[newest.state].label,
  ),
  field("problem", "Problem", ({ newest }) => newest?.problem),
  field("open", "Conditions that last", ({ open }) => open),
  timeField("created", "Created", ({ createdAt }) => createdAt),
  field("by", "Created by", ({ createdBy }) => createdBy),
];

/** The fields of the export of deliveries. */
export const DELIVERY_FIELDS: readonly Field<DeliveryView>[] = [
  timeField("created", "Time", ({ createdAt }) => createdAt),
  field("state", "State", ({ state }) => DELIVERY_PRESENTATION[state].label),
  field("kind", "Message", messageKind),
  field("cluster", "Cluster", ({ clusterName }) => clusterName),
  field("webhook", "Webhook", ({ webhook }) => webhook.name),
  field("sentence", "Sentence", ({ sentence }) => sentence),
  field("path", "Page", ({ path }) => path),
  field("problem", "Problem", ({ problem }) => problem),
  field("attempts", "Attempts", ({ attempts }) => attempts.length),
  timeField("next", "Next attempt", ({ nextAt }) => nextAt),
  timeField("ended", "Ended", ({ endedAt }) => endedAt),
];
