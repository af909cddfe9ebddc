import { t } from "../language/text.ts";
import { factsOf, type ReasonOf } from "../reason.ts";

/** Why something in the cloud waits for consent to be adopted. */
export type AdoptionReason =
  | ReasonOf<"BalancerUnowned">
  | ReasonOf<"BalancerStands">
  | ReasonOf<"RouteUnowned">;

export function isAdoptionReason(reason: { readonly code: string }): reason is AdoptionReason {
  return factsOf(reason.code).offers === "adopt";
}

/** Returns why consent alone is not enough to adopt it, as a sentence; undefined if it is. */
export function refusalOfAdoption(reason: AdoptionReason): string | undefined {
  switch (reason.code) {
    case "BalancerStands":
      return reason.owner === undefined
        ? undefined
        : t`It belongs to ${reason.owner}, and what belongs to another owner is never adopted.`;
    case "BalancerUnowned":
      return othersOn(reason);
    case "RouteUnowned":
      return undefined;
  }
}

function othersOn({ others = [] }: ReasonOf<"BalancerUnowned">): string | undefined {
  if (others.length === 0) return undefined;
  return t`It has settings that the Service does not request (${others.join(", ")}): remove that first.`;
}
