import type { ProcessSettings } from "@cloudwright/store/views/controllers";

type FlagSetting = ProcessSettings["flags"][number];

/** One flag as the processes of a cluster run with it. */
export interface ComparedFlag {
  readonly flag: FlagSetting;
  /** Processes that run with another value than the first one, by identity. */
  readonly others: readonly { readonly identity: string; readonly value: string }[];
}

export interface ComparedFlags {
  /** Set by a flag or the environment, or not the same everywhere. */
  readonly set: readonly ComparedFlag[];
  readonly atDefault: readonly ComparedFlag[];
}

/** The flags of the first process, which leads if one does, and where the others differ from it. */
export function compareFlags(processes: readonly ProcessSettings[]): ComparedFlags {
  const [first, ...others] = processes;
  const all = (first?.flags ?? []).map((flag) => ({ flag, others: differing(flag, others) }));
  const isSet = ({ flag, others: values }: ComparedFlag) =>
    flag.source !== "default" || values.length > 0;
  return { set: all.filter(isSet), atDefault: all.filter((flag) => !isSet(flag)) };
}

/** A dry run beside those that act is started otherwise on purpose, so its flags are not compared. */
function differing(
  { name, value }: FlagSetting,
  others: readonly ProcessSettings[],
): ComparedFlag["others"] {
  return others
    .filter(({ dryRun }) => !dryRun)
    .flatMap(({ identity, flags }) => {
      const other = flags.find((flag) => flag.name === name);
      if (other === undefined || other.value === value) return [];
      return [{ identity, value: other.value }];
    });
}

export function sourceText({ source }: FlagSetting): string {
  switch (source) {
    case "flag":
      return "Flag";
    case "environment":
      return "Environment";
    case "default":
      return "Default";
  }
}
