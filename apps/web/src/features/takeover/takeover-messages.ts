import type { AdoptionReason } from "@cloudwright/core/model/adoption-refusal";
import { t, worded } from "@cloudwright/core/model/language/text";
import { proofText, routeProofText } from "@cloudwright/core/model/reasons/text";
import type {
  AdoptedBy,
  DoneAdoption,
  ProvenRoutes,
  TakeoverView,
  WaitingRow,
} from "@cloudwright/store/views/takeover";
import { countOf } from "../../platform/wording/action-title.ts";
import { waitingSentence } from "../../platform/wording/overview-messages.ts";

type Counts = TakeoverView["counts"];

/** The sentence that answers "what is left to take over, and what was?". */
export function takeoverSentence(counts: Counts): string {
  const waiting = waitingSentence(counts.waiting);
  const done = doneParts(counts);
  if (waiting !== undefined) return `${[waiting, ...done].join("; ")}.`;
  return done.length === 0
    ? t`No load balancer or route of an earlier manager has been found.`
    : t`Nothing waits for your consent; ${done.join("; ")}.`;
}

function doneParts({ adopted, proven, reported }: Counts): readonly string[] {
  const { proofs } = adopted;
  const byConsent = adopted.consent + adopted.flag;
  const parts = [
    ...(proofs === 0 ? [] : [t`${wereAdopted(proofs)} by two proofs`]),
    ...(byConsent === 0 ? [] : [t`${wereAdopted(byConsent)} by consent`]),
    ...(proven === 0 ? [] : [t`the routes of ${countOf(proven, "node")} are kept by two proofs`]),
    ...(reported === 0 ? [] : [t`the routes of ${countOf(reported, "node")} are only reported`]),
  ];
  return parts;
}

function wereAdopted(count: number): string {
  return t`${count.toLocaleString("en-GB")} ${count === 1 ? "was" : "were"} adopted`;
}

/** What the cloud calls it: a word for what it is, its id, and the destination of a route. */
export function resourceOf(reason: AdoptionReason): {
  readonly what: string;
  readonly id: string;
  readonly to: string;
} {
  const { id } = reason;
  return reason.code === "RouteUnowned"
    ? { what: "route", id, to: ` to ${reason.cidr}` }
    : { what: t`load balancer`, id, to: "" };
}

type Waiting = Pick<WaitingRow, "reason" | "refusal">;

/** Which proof of its owner is there and which is not, or why it cannot be adopted at all; what it is stands beside it. */
export function whyText({ reason, refusal }: Waiting): string {
  if (refusal !== undefined) return t`Cannot be adopted. ${refusal}`;
  if (reason.code === "RouteUnowned") return `It ${routeProofText(reason.proofs)}.`;
  const words = proofText(reason.proofs).replace(/^: /, "");
  return words === "" ? t`It has no owner.` : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** What an adoption would do. */
export function consentText({ reason, refusal }: Waiting): string {
  if (refusal !== undefined) return t`Nothing: consent is not enough for it.`;
  switch (reason.code) {
    case "BalancerUnowned":
      return t`Marks it as the Service's and brings it in line with the Service.`;
    case "BalancerStands":
      return t`Marks it as the Service's, then deletes it, as the Service is being deleted.`;
    case "RouteUnowned":
      return reason.proofs.includes("range")
        ? t`Replaces it with the node's own route to that range.`
        : t`Removes it, as it leads to none of the node's pod ranges.`;
  }
}

const BY: Readonly<Record<Exclude<AdoptedBy, "consent">, string>> = worded({
  proofs: () => t`Two proofs`,
  flag: () => t`--adopt-consent`,
});

export function adoptedByText({ by, actor }: Pick<DoneAdoption, "by" | "actor">): string {
  return by === "consent" ? t`Consent of ${actor}` : BY[by];
}

type Routes = ProvenRoutes["routes"];

/** `route r-1 to 10.0.1.0/24`, of several each. */
export function routesText(routes: Routes): string {
  return routes.map(({ id, destination }) => t`route ${id} to ${destination}`).join(", ");
}

export function keptText(routes: Routes): string {
  const [is, it] = routes.length === 1 ? ["is", t`it has`] : ["are", t`they have`];
  return t`Two proofs show that ${routes.length === 1 ? "it" : "they"} ${is} the node's; kept as ${routes.length === 1 ? t`it is` : t`they are`}, because ${it} no mark that could be written.`;
}

/** Whether a text stands in what names a row. */
export function matches(text: string, ...names: readonly string[]): boolean {
  const wanted = text.trim().toLowerCase();
  return names.some((name) => name.toLowerCase().includes(wanted));
}
