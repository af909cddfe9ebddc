import type { IncidentRow } from "@cloudwright/store/views/incidents";
import { type Field, field, timeField } from "../../components/table/field.ts";

/** The fields of the export of shared incidents. */
export const INCIDENT_FIELDS: readonly Field<Omit<IncidentRow, "mayDelete">>[] = [
  timeField("shared", "Shared", ({ madeAt }) => madeAt),
  field("title", "Title", ({ title }) => title),
  field("subject", "About", ({ subject }) => subject),
  field("by", "Shared by", ({ madeBy }) => madeBy),
  field("id", "Incident id", ({ id }) => id),
];
