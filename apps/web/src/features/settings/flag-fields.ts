import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";
import type { ProcessSettings } from "@cloudwright/store/views/controllers";
import { type Field, field, timeField } from "../../components/table/field.ts";

/** A flag with its value in one process. */
export interface FlagRow {
  readonly process: ProcessSettings;
  readonly flag: FlagSetting;
}

export function flagRows(processes: readonly ProcessSettings[]): readonly FlagRow[] {
  return processes.flatMap((process) => process.flags.map((flag) => ({ process, flag })));
}

/** The fields of the export of flags; for a secret, the process itself reports only whether it is set. */
export const FLAG_FIELDS: readonly Field<FlagRow>[] = [
  field("process", "Process", ({ process }) => process.identity),
  field("leader", "Leader", ({ process }) => process.leader),
  field("flag", "Flag", ({ flag }) => `--${flag.name}`),
  field("value", "Value", ({ flag }) => flag.value),
  field("initial", "Default", ({ flag }) => flag.initial),
  field("source", "Set by", ({ flag }) => flag.source),
  field("section", "Section", ({ flag }) => flag.section),
  timeField("reported", "Reported", ({ process }) => process.at),
];
