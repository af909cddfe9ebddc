import type { WaitingRow } from "@cloudwright/store/views/takeover";
import { type Field, field, timeField } from "../../components/table/field.ts";
import {
  adoptedByText,
  consentText,
  REPORTED_WHY,
  resourceOf,
  routesText,
  whyText,
} from "./takeover-messages.ts";
import type { AdoptedRow, ReportedRow } from "./takeover-rows.ts";

/** The fields of the export of what waits for consent: the page's columns and more. */
export const WAITING_FIELDS: readonly Field<WaitingRow>[] = [
  field("kind", "Kind", ({ kind }) => kind),
  field("object", "Object", ({ name }) => name),
  field("resource", "Cloud resource", ({ reason }) => {
    const { what, id, to } = resourceOf(reason);
    return `${what} ${id}${to}`;
  }),
  field("why", "Why it waits", whyText),
  field("consent", "Effect of consent", consentText),
  timeField("since", "Since", ({ since }) => since),
  field("action", "Action id", ({ open }) => open?.id),
];

/** For what was adopted. */
export const ADOPTED_FIELDS: readonly Field<AdoptedRow>[] = [
  field("kind", "Kind", ({ kind }) => kind),
  field("object", "Object", ({ name }) => name),
  field("resource", "Cloud resource", ({ id }) => id),
  field("by", "Adopted by", adoptedByText),
  field("why", "Why", ({ why }) => why),
  timeField("when", "When", ({ at }) => at),
  field("run", "Run", ({ runId }) => runId),
];

/** For what is only reported. */
export const REPORTED_FIELDS: readonly Field<ReportedRow>[] = [
  field("kind", "Kind", ({ kind }) => kind),
  field("object", "Object", ({ name }) => name),
  field("resource", "Cloud resource", ({ routes }) => routesText(routes)),
  field("why", "Why", () => REPORTED_WHY.text),
  timeField("seen", "Last seen", ({ asOf }) => asOf),
  field("run", "Run", ({ runId }) => runId),
];
