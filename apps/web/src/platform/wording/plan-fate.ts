import { t, worded } from "@cloudwright/core/model/language/text";

/** What became of a planned change. */
export type Fate = "applied" | "not applied" | "not known whether applied";

const FATES: Readonly<Record<Fate, string>> = worded({
  applied: () => t`applied`,
  "not applied": () => t`not applied`,
  "not known whether applied": () => t`not known whether applied`,
});

export function fateText(fate: Fate): string {
  return FATES[fate];
}
