import { subdomainProblems } from "../../rules/names.ts";
import {
  forbiddenValue,
  invalidValue,
  type Problem,
  ruleProblems,
  unsupportedValue,
} from "../../rules/problem.ts";

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};
const MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const VOLUME_MODES = ["Block", "Filesystem"];
const ALONE = "ReadWriteOncePod";

/** Returns the modes for a cell: `RWO,ROX`. */
export function accessModesText(modes: readonly string[] = []): string {
  return Object.entries(SHORT)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(",");
}

/** Reports invalid modes, and one that must be alone. */
export function accessModeProblems(modes: readonly string[]): readonly Problem[] {
  const field = "spec.accessModes";
  const known = modes.filter((mode) => MODES.includes(mode));
  const isMixed = known.includes(ALONE) && known.some((mode) => mode !== ALONE);
  return [
    ...modes
      .filter((mode) => !MODES.includes(mode))
      .map((mode) => unsupportedValue(field, mode, MODES)),
    ...(isMixed
      ? [forbiddenValue(field, "may not use ReadWriteOncePod with other access modes")]
      : []),
  ];
}

export function volumeModeProblems(mode: string | undefined): readonly Problem[] {
  return mode === undefined || VOLUME_MODES.includes(mode)
    ? []
    : [unsupportedValue("spec.volumeMode", mode, VOLUME_MODES)];
}

export function classNameProblems(name: string | undefined): readonly Problem[] {
  if (name === undefined || name === "") return [];
  return ruleProblems(subdomainProblems, "spec.storageClassName", name);
}

export const IMMUTABLE = "field is immutable";

/** Reports a change of an immutable field at the object's root. */
export function immutableProblems(field: string, now: unknown, then: unknown): readonly Problem[] {
  return JSON.stringify(now) === JSON.stringify(then)
    ? []
    : [invalidValue(field, now ?? null, IMMUTABLE)];
}
