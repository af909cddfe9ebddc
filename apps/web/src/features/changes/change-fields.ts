import type { CountedChange } from "@cloudwright/store/views/changes";
import { type Field, field, isoTime, timeField } from "../../components/table/field.ts";
import { aboutThen, presentationOfChange, stateWord } from "./changes-messages.ts";

/** The fields of the export of changes: the page's columns and more. */
export const CHANGE_FIELDS: readonly Field<CountedChange>[] = [
  field("change", "Change", (change) => presentationOfChange(change).label),
  field("kind", "Kind", ({ kind }) => kind),
  field("object", "Object", ({ name }) => name),
  field("was", "Was", ({ was }) => stateWord(was)),
  field("wasWhy", "Why it was so", ({ was, now }) => aboutThen(was, now, isoTime) || undefined),
  field("now", "Is", ({ now }) => stateWord(now)),
  field("nowWhy", "Why it is so", ({ was, now }) => aboutThen(now, was, isoTime) || undefined),
  field("wasAddress", "Address before", ({ was }) =>
    typeof was === "string" ? undefined : was.address,
  ),
  field("address", "Address", ({ now }) => now.address),
  timeField("at", "Changed", ({ now }) => now.at),
  field("times", "Times changed", ({ times }) => times),
  field("replaced", "Another object of this name", ({ isReplaced }) => isReplaced),
  field("runs", "Runs", ({ runs }) => runs),
  field("writes", "Cloud writes", ({ cloudWrites }) => cloudWrites),
  field("uid", "UID", ({ uid }) => uid || undefined),
];
