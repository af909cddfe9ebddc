import { t, worded } from "@cloudwright/core/model/language/text";
import type { AdoptionReason } from "@cloudwright/core/model/reasons/adoption-refusal";
import { proofText, routeProofText } from "@cloudwright/core/model/reasons/text";
import { capitalise } from "@cloudwright/core/model/sentence";
import type {
  DoneAdoption,
  ProvenRoutes,
  TakeoverView,
  WaitingRow,
} from "@cloudwright/store/views/takeover";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { waitingSentence } from "../../platform/wording/overview-messages.ts";

type Counts = TakeoverView["counts"];

/** Answers "what is left to take over, and what was?", if enough of it could be read. */
export function takeoverSentence(counts: Counts, isWhole = true): string | undefined {
  const waiting = waitingSentence(counts.waiting);
  const done = doneParts(counts);
  if (waiting !== undefined) return t`${[waiting, ...done].join("; ")}.`;
  // What was not read may still exist.
  if (!isWhole) return undefined;
  return done.length === 0
    ? t`No load balancer or route of an earlier manager has been found.`
    : t`Nothing is waiting for your consent; ${done.join("; ")}.`;
}

function doneParts({ adopted, proven, reported }: Counts): readonly string[] {
  const { proofs } = adopted;
  const byConsent = adopted.consent + adopted.flag;
  const parts = [
    ...(proofs === 0 ? [] : [adoptedByProofs(proofs)]),
    ...(byConsent === 0 ? [] : [adoptedByConsent(byConsent)]),
    ...(proven === 0 ? [] : [t`the routes of ${countOf(proven, "node")} are kept by two proofs`]),
    ...(reported === 0 ? [] : [t`the routes of ${countOf(reported, "node")} are only reported`]),
  ];
  return parts;
}

function adoptedByProofs(count: number): string {
  return count === 1
    ? t`1 was adopted by two proofs`
    : t`${formatCount(count)} were adopted by two proofs`;
}

function adoptedByConsent(count: number): string {
  return count === 1
    ? t`1 was adopted by consent`
    : t`${formatCount(count)} were adopted by consent`;
}

/** Names it in the cloud: its kind, its id, and the destination of a route. */
export function resourceOf(reason: AdoptionReason): {
  readonly what: string;
  readonly id: string;
  readonly to: string;
} {
  const { id } = reason;
  return reason.code === "RouteUnowned"
    ? { what: t`route`, id, to: ` ${t`to ${reason.cidr}`}` }
    : { what: t`load balancer`, id, to: "" };
}

type Waiting = Pick<WaitingRow, "reason" | "refusal">;

/** Says which proof of its owner exists and which is missing, or why it cannot be adopted at all; the resource is named beside it. */
export function whyText({ reason, refusal }: Waiting): string {
  if (refusal !== undefined) return t`Cannot be adopted. ${refusal}`;
  if (reason.code === "RouteUnowned") return t`It ${routeProofText(reason.proofs)}.`;
  // Elsewhere it follows "has no owner", after the colon of the reader's language.
  const words = proofText(reason.proofs).replace(/^[\s:：]+/, "");
  return words === "" ? t`It has no owner.` : t`${capitalise(words)}.`;
}

/** Says what an adoption would do. */
export function consentText({ reason, refusal }: Waiting): string {
  if (refusal !== undefined) return t`Nothing: consent alone is not enough.`;
  switch (reason.code) {
    case "BalancerUnowned":
      return t`Makes the Service its owner and brings it in line with the Service.`;
    case "BalancerStands":
      return t`Makes the Service its owner, then deletes it, as the Service is being deleted.`;
    case "RouteUnowned":
      return reason.proofs.includes("range")
        ? t`Replaces it with the node's own route to that range.`
        : t`Removes it, as it leads to none of the node's pod ranges.`;
  }
}

export function adoptedByText({ by, actor }: Pick<DoneAdoption, "by" | "actor">): string {
  if (by === "consent") return t`Consent of ${actor}`;
  return by === "flag" ? "--adopt-consent" : t`Two proofs`;
}

type Routes = ProvenRoutes["routes"];

/** Returns `route r-1 to 10.0.1.0/24`, or the same for several. */
export function routesText(routes: Routes): string {
  return routes.map(({ id, destination }) => t`route ${id} to ${destination}`).join(", ");
}

export function keptText(routes: Routes): string {
  return routes.length === 1
    ? t`Two proofs show that it is the node's; kept as it is, because its owner cannot be recorded on it.`
    : t`Two proofs show that they are the node's; kept as they are, because their owner cannot be recorded on them.`;
}

/** Why resources that are only reported are left as they are. */
export const REPORTED_WHY = worded({
  text: () => t`Two proofs show that it is the node's, and --adopt=report leaves it as it is.`,
});

/** Reports whether a text occurs in one of a row's names. */
export function matches(text: string, ...names: readonly string[]): boolean {
  const wanted = text.trim().toLowerCase();
  return names.some((name) => name.toLowerCase().includes(wanted));
}
