import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { BucketUse, BudgetView, ResyncCost } from "@cloudwright/store/views/budget";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { quotaSentence } from "../../platform/wording/quota-messages.ts";

/** Shares of a limit from which use is near it, and at it (UX brief, section 11). */
export const BANDS = { near: 0.7, over: 0.9 } as const;

export type Band = "well" | "near" | "over";

/** How close to its limit a stretch of time was; a 429 says that it was there, whatever the count. */
export function bandOf({ share, throttled }: Pick<BucketUse, "share" | "throttled">): Band {
  if (throttled > 0 || (share ?? 0) >= BANDS.over) return "over";
  return (share ?? 0) >= BANDS.near ? "near" : "well";
}

interface RequestedAction {
  readonly view: BudgetView;
  readonly isLed: boolean;
  /** What the leader said last. */
  readonly live: ControllerInstanceView["cloud"];
  readonly provider: string;
  /** The server's time. */
  readonly now: number;
}

/** The sentence that opens the page: what is used of what is allowed, what a full look costs, and what follows. */
export function budgetSentence({ view, isLed, live, provider, now }: RequestedAction): string {
  if (!isLed) return "No controller leads, so no calls are made to the cloud.";
  if (live === undefined) return "The leader has not said yet how many calls it makes.";
  return [
    usageSentence(live, provider),
    resyncSentence(view.resync),
    expectation({ view, live, now }),
    deferredSentence(view.deferred.count),
    quotaSentence(live.quotas),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

type Live = NonNullable<RequestedAction["live"]>;

function usageSentence(live: Live, provider: string): string {
  const calls = countOf(live.callsLastMinute, "call");
  const limit = perMinute(live);
  if (limit === undefined) return `${calls} in the last minute; ${provider} has set no limit.`;
  return `${calls} in the last minute of the ${formatCount(limit)} that ${provider} allows now.`;
}

function perMinute({ allowedPerSecond }: Live): number | undefined {
  return allowedPerSecond === undefined ? undefined : Math.round(allowedPerSecond * 60);
}

function resyncSentence(costs: readonly ResyncCost[]): string {
  const parts = costs
    .filter(({ objects }) => objects > 0)
    .map(({ controller, objects, calls }) => {
      const kind = controllerOf(controller).objectKind;
      const what = kind === "Service" ? "load balancer" : kind.toLowerCase();
      const all = objects === 1 ? `the one ${what}` : `all ${countOf(objects, what)}`;
      return `${all} costs about ${countOf(calls, "call")}`;
    });
  return parts.length === 0 ? "" : `Observing ${parts.join(", observing ")}.`;
}

function expectation({
  view,
  live,
  now,
}: Pick<RequestedAction, "view" | "now"> & { readonly live: Live }) {
  if (live.closedSince !== undefined) {
    const ms = now - live.closedSince;
    return `The cloud has refused every call for ${formatDuration(ms)}: one call is tried after each wait.`;
  }
  if (live.resumesAt !== undefined && live.resumesAt > now) {
    return "The cloud has asked us to wait: calls resume by themselves, urgent ones first.";
  }
  const limit = perMinute(live);
  if (limit === undefined)
    return wasThrottled(view) ? "The limit that it set has been lifted." : CALM;
  const share = live.callsLastMinute / Math.max(1, limit);
  if (share >= BANDS.over) return "That is at the limit: less urgent calls wait.";
  if (share >= BANDS.near) return "That is near the limit.";
  const appearance = Math.max(0, ...view.resync.map(({ calls }) => calls));
  return live.callsLastMinute + appearance > limit
    ? "Parts of the next full check will have to wait."
    : CALM;
}

const CALM = "No throttling expected.";

function wasThrottled({ cloud }: BudgetView): boolean {
  return cloud.buckets.some(({ use }) => (use?.throttled ?? 0) > 0);
}

function deferredSentence(count: number): string {
  if (count === 0) return "";
  return `${countOf(count, "object")} ${count === 1 ? "waits" : "wait"} for it.`;
}

/** `53 %`, or a dash where there is no limit. */
export function shareText(share: number | undefined): string {
  return share === undefined ? "—" : `${Math.round(share * 100)} %`;
}

/** `0.4` for few, whole numbers for many. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return "0";
  if (perMinute < 0.1) return "< 0.1";
  return perMinute < 10 ? trimZero(perMinute.toFixed(1)) : formatCount(Math.round(perMinute));
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}

/** What a bar says of itself: `42 calls, 2 answered 429, 53 % of the limit`. */
export function useText(use: BucketUse | undefined): string {
  if (use === undefined) return "not known";
  return [
    countOf(use.calls, "call"),
    use.throttled === 0 ? "" : `${formatCount(use.throttled)} answered 429`,
    use.share === undefined ? "" : `${shareText(use.share)} of the limit`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export const PRIORITY_LABELS = {
  person: "A user's retry",
  new: "New and changed objects",
  deletion: "Deletions",
  refresh: "Periodic checks",
} as const;
