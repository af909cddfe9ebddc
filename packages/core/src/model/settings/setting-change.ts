import type { SettingActionKind, SettingChange } from "../actions/setting-actions.ts";
import { t } from "../language/text.ts";
import type { ObjectRef } from "../object-ref.ts";
import type { Weight } from "./define.ts";
import {
  canonicalValue,
  consequencesOfChange,
  problemOfValue,
  settingOf,
  weightOf,
} from "./settings.ts";

/* Queries on setting changes beyond the texts that each page needs; this module loads everything about the settings. */

const KINDS = {
  plain: "set-setting",
  losesRecords: "shorten-retention",
  loosensGuard: "loosen-guard",
} as const satisfies Record<Weight, SettingActionKind>;

/** Returns the kind of action for a change of a setting. */
export function kindOfChange(change: SettingChange): SettingActionKind {
  return KINDS[weightOf(change.setting, change)];
}

/** Returns why a change cannot be requested as an action of that kind, as a sentence; undefined if it can. */
export function problemOfChange(
  change: SettingChange & { readonly kind: SettingActionKind },
  object: ObjectRef,
): string | undefined {
  const { kind, setting, from, value, reset } = change;
  const { controller } = settingOf(setting);
  if (object.name !== controller) return t`A change of ${`--${setting}`} must name ${controller}.`;
  // A flag's value may exceed the bounds for users.
  const problem = reset === true ? undefined : problemOfNew(change);
  if (problem !== undefined) return problem;
  const really = kindOfChange(change);
  return really === kind
    ? undefined
    : t`A change of ${`--${setting}`} from ${from} to ${value} is a ${really}.`;
}

function problemOfNew({ setting, from, value }: SettingChange): string | undefined {
  const problem = problemOfValue(setting, value);
  if (problem !== undefined) return problem;
  return canonicalValue(setting, value) === canonicalValue(setting, from)
    ? t`A change of ${`--${setting}`} must name a value other than ${from}, which is the current one.`
    : undefined;
}

/** Returns the consequences, one sentence each. */
export function consequencesOfSetting(change: SettingChange): readonly string[] {
  return [
    ...consequencesOfChange(change.setting, change),
    change.reset === true
      ? t`From then on, each process uses the value of its own flag.`
      : t`It takes effect at once and without a restart, for later leaders as well, until somebody sets it back to the flag.`,
  ];
}
