import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t, worded } from "@cloudwright/core/model/language/text";
import { capitalise } from "@cloudwright/core/model/sentence";
import type { BucketUse, BudgetView, ResyncCost } from "@cloudwright/store/views/budget";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { formatCount } from "../../components/presentation/format-text.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { countedAs, countOfKind, kindWord } from "../../platform/wording/kind-words.ts";
import { quotaSentence } from "../../platform/wording/quota-messages.ts";

/** Shares of a limit from which usage is near it or at it (UX brief, section 11). */
export const BANDS = { near: 0.7, over: 0.9 } as const;

export type Band = "well" | "near" | "over";

/** Returns how close to its limit a stretch of time was; a 429 means at the limit, whatever the count. */
export function bandOf({ share, throttled }: Pick<BucketUse, "share" | "throttled">): Band {
  if (throttled > 0 || (share ?? 0) >= BANDS.over) return "over";
  return (share ?? 0) >= BANDS.near ? "near" : "well";
}

interface RequestedAction {
  readonly view: BudgetView;
  readonly isLed: boolean;
  /** The leader's last report. */
  readonly live: ControllerInstanceView["cloud"];
  readonly provider: string;
  /** The server's time. */
  readonly now: number;
  /** Returns when a controller next checks all its objects; undefined if that is unknown. */
  readonly nextCheckOf: (controller: ControllerName) => number | undefined;
  /** Formats a point in time. */
  readonly time: (at: number) => string;
}

/** Words the page's summary: how much of the limit is used, what a full check costs, and what follows from that. */
export function budgetSentence(asked: RequestedAction): string {
  const { view, isLed, live, provider, now } = asked;
  if (!isLed) return t`No controller leads, so no calls are made to the cloud.`;
  if (live === undefined) return t`The leader has not reported yet how many calls it makes.`;
  return [
    usageSentence(live, provider),
    resyncSentence(asked),
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
  if (limit === undefined) return t`${calls} in the last minute; ${provider} has set no limit.`;
  return t`${calls} in the last minute of the ${formatCount(limit)} that ${provider} currently allows.`;
}

function perMinute({ allowedPerSecond }: Live): number | undefined {
  return allowedPerSecond === undefined ? undefined : Math.round(allowedPerSecond * 60);
}

function resyncSentence({
  view,
  nextCheckOf,
  time,
}: Pick<RequestedAction, "view" | "nextCheckOf" | "time">): string {
  const parts = view.resync
    .filter(({ objects }) => objects > 0)
    .map((cost) => {
      const next = nextCheckOf(cost.controller);
      const text = costText(cost);
      return next === undefined ? text : t`${text} (next at ${time(next)})`;
    });
  return parts.length === 0 ? "" : t`${capitalise(parts.join(", "))}.`;
}

function costText({ controller, objects, calls }: ResyncCost): string {
  const kind = countedAs(controllerOf(controller).objectKind);
  const cost = countOf(calls, "call");
  return objects === 1
    ? t`observing the one ${kindWord(kind)} costs about ${cost}`
    : t`observing all ${countOfKind(objects, kind)} costs about ${cost}`;
}

/**
 * Returns when each controller of a leader next checks all its objects. A paused controller checks nothing, and a time in the past means
 * that the leader has not reported since.
 */
export function nextChecks(
  leader: Pick<ControllerInstanceView, "controllers"> | undefined,
  now: number,
): RequestedAction["nextCheckOf"] {
  const planned = new Map(
    leader?.controllers.flatMap(({ name, paused, nextCheckAt: at }) =>
      paused !== undefined || at === undefined || at <= now ? [] : [[name, at] as const],
    ),
  );
  return (controller) =>
    controllerOf(controller).rereadsAll === true ? planned.get(controller) : undefined;
}

function expectation({
  view,
  live,
  now,
}: Pick<RequestedAction, "view" | "now"> & { readonly live: Live }) {
  if (live.closedSince !== undefined) {
    const ms = now - live.closedSince;
    return t`The cloud has refused every call for ${formatDuration(ms)}: one call is tried after each wait.`;
  }
  if (live.resumesAt !== undefined && live.resumesAt > now) {
    return t`The cloud has asked us to wait: calls resume by themselves, urgent ones first.`;
  }
  const limit = perMinute(live);
  if (limit === undefined)
    return wasThrottled(view) ? t`The limit that it set has been lifted.` : calm();
  const share = live.callsLastMinute / Math.max(1, limit);
  if (share >= BANDS.over) return t`That is at the limit: less urgent calls wait.`;
  if (share >= BANDS.near) return t`That is near the limit.`;
  const appearance = Math.max(0, ...view.resync.map(({ calls }) => calls));
  return live.callsLastMinute + appearance > limit
    ? t`Parts of the next full check will have to wait.`
    : calm();
}

function calm(): string {
  return t`No throttling expected.`;
}

function wasThrottled({ cloud }: BudgetView): boolean {
  return cloud.buckets.some(({ use }) => (use?.throttled ?? 0) > 0);
}

function deferredSentence(count: number): string {
  if (count === 0) return "";
  return count === 1
    ? t`1 object is waiting for it.`
    : t`${formatCount(count)} objects are waiting for it.`;
}

/** Returns `53 %`, or a dash if there is no limit. */
export function shareText(share: number | undefined): string {
  return share === undefined ? "—" : `${Math.round(share * 100)} %`;
}

/** Returns `0.4` for low rates, whole numbers for high ones. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return "0";
  if (perMinute < 0.1) return "< 0.1";
  return perMinute < 10 ? trimZero(perMinute.toFixed(1)) : formatCount(Math.round(perMinute));
}

function trimZero(text: string): string {
  return text.endsWith(".0") ? text.slice(0, -2) : text;
}

/** Labels a bar: `42 calls, 2 answered 429, 53 % of the limit`. */
export function useText(use: BucketUse | undefined): string {
  if (use === undefined) return t`not known`;
  return [
    countOf(use.calls, "call"),
    use.throttled === 0 ? "" : t`${formatCount(use.throttled)} answered 429`,
    use.share === undefined ? "" : t`${shareText(use.share)} of the limit`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export const PRIORITY_LABELS = worded({
  person: () => t`A user's retry`,
  new: () => t`New and changed objects`,
  deletion: () => t`Deletions`,
  refresh: () => t`Periodic checks`,
});
