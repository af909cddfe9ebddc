import { t, worded } from "@cloudwright/core/model/language/text";

/** The action states as they appear within a sentence. */
const WORDS: Readonly<Record<string, string>> = worded({
  "awaiting-approval": () => t`awaiting approval`,
  requested: () => t`requested`,
  claimed: () => t`claimed`,
  running: () => t`running`,
  verified: () => t`verified`,
  failed: () => t`failed`,
  rejected: () => t`rejected`,
  expired: () => t`expired`,
  cancelled: () => t`cancelled`,
});

/** A newer release may have states that this one has no word for. */
export function stateWord(state: string): string {
  return Object.hasOwn(WORDS, state) ? (WORDS[state] ?? state) : state;
}
