import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { causeOf } from "@cloudwright/core/model/sentence";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type {
  ClusterHealth,
  Coverage,
  MassAlarm,
  Needs,
  VanishedAlarm,
} from "@cloudwright/store/views/health";
import { withoutRequests } from "../../components/evidence/request-parts.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { type Presentation, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { formatElapsed } from "../../components/time/format-time.ts";
import { countOf } from "./action-title.ts";
import { countedAs, countOfKind } from "./kind-words.ts";

/** The health before anything is known: it says nothing. */
export const NO_HEALTH: ClusterHealth = {
  needs: { stuck: {}, stuckParts: {}, held: 0 },
  coverage: {
    Node: { present: 0, reported: 0, isExpected: true, uninitialised: undefined },
    Service: { present: 0, reported: 0, isExpected: true, uninitialised: undefined },
  },
  alarms: [],
};

/** Words what affects many objects at once, which comes before everything else on a page; `kinds` are the page's kinds, all by default. */
export function alarmsSentence(
  { alarms }: Pick<ClusterHealth, "alarms">,
  { now, kinds }: { readonly now: number; readonly kinds?: readonly string[] },
): string {
  return alarms
    .filter((alarm) => kinds?.includes(alarm.kind === "unknown" ? alarm.of : "Node") ?? true)
    .map((alarm) => alarmSentence(alarm, now))
    .join(" ");
}

function alarmSentence(alarm: MassAlarm, now: number): string {
  if (alarm.kind === "vanished") return vanishedSentence(alarm);
  const { of, count, total, since, reason } = alarm;
  return t`${formatCount(count)} of ${countOfKind(total, countedAs(of))} could not be observed for ${formatElapsed(now - since)}: ${withoutRequests(causeOf(reason))}.`;
}

const MINUTE_MS = 60_000;

function vanishedSentence({ count, total, withinMs, removed, held }: VanishedAlarm): string {
  const within = formatDuration(Math.max(MINUTE_MS, Math.ceil(withinMs / MINUTE_MS) * MINUTE_MS));
  const doubted = count - removed - held;
  const parts = [
    removed === 0 ? "" : t`${countOf(removed, "node")} removed`,
    held === 0 ? "" : t`${countOf(held, "deletion")} held`,
    doubted === 0 ? "" : t`${formatCount(doubted)} to be checked again`,
  ].filter((part) => part !== "");
  return t`${formatCount(count)} of ${countOf(total, "machine")} vanished within ${within}: ${parts.join(", ")}.`;
}

/** Says how many of the nodes are known; empty once all of them have reported and are initialised. */
export function coverageSentence({
  coverage: { Node: nodes },
}: Pick<ClusterHealth, "coverage">): string {
  const { present, reported, uninitialised = 0 } = nodes;
  const all = countOf(present, "node");
  if (reported >= present) return uninitialisedSentence(uninitialised, all);
  const known =
    reported === 1
      ? t`1 of ${all} has reported`
      : t`${formatCount(reported)} of ${all} have reported`;
  if (uninitialised === 0) return t`${known}.`;
  return uninitialised === 1
    ? t`${known}; 1 is not initialised yet.`
    : t`${known}; ${formatCount(uninitialised)} are not initialised yet.`;
}

function uninitialisedSentence(uninitialised: number, all: string): string {
  if (uninitialised === 0) return "";
  return uninitialised === 1
    ? t`1 of ${all} is not initialised yet.`
    : t`${formatCount(uninitialised)} of ${all} are not initialised yet.`;
}

/** Reports whether the cluster may be called well if all known objects are. */
export function isWhole({ coverage, alarms }: ClusterHealth): boolean {
  const isKnown = Object.values(coverage).every(isCovered) && !isAwaited(coverage.Node);
  return alarms.length === 0 && isKnown && (coverage.Node.uninitialised ?? 0) === 0;
}

/**
 * Reports whether a controller that should report has reported nothing yet. A cluster without a node is not well: its nodes are still to
 * come, and the record that there are none may be older than they are.
 */
export function isAwaited({ isExpected, reported }: Coverage): boolean {
  return isExpected && reported === 0;
}

/** Reports whether everything in the cluster has reported. */
export function isCovered({ present, reported }: Coverage): boolean {
  return reported >= present;
}

/** Returns the count of a page's badge: what the page itself says that needs a user. */
export function badgesOf({ stuck, stuckParts, held }: Needs) {
  const of = (...kinds: readonly string[]) =>
    kinds.reduce((sum, kind) => sum + (stuck[kind] ?? 0) + (stuckParts[kind] ?? 0), 0);
  return {
    nodes: of("Node") + held,
    balancers: of("Service", "LoadBalancer"),
    routes: of("NodeRoutes", "Route", "RouteTable"),
    volumes: of("PersistentVolume"),
  };
}

/** Returns the state of a running controller. */
export function controllerState(
  { queueDepth, paused }: ControllerInstanceView["controllers"][number],
  isUnknown: boolean,
): Presentation {
  if (isUnknown) return STATE_PRESENTATION.unknown;
  if (paused !== undefined) {
    return {
      ...STATE_PRESENTATION.held,
      label: t`Paused`,
      help: t`It processes nothing until it is resumed or the pause ends.`,
    };
  }
  if (queueDepth === 0) {
    return { ...STATE_PRESENTATION.ok, label: t`Idle`, help: t`Nothing is waiting to be checked.` };
  }
  return { ...STATE_PRESENTATION.working, help: t`Keys are waiting to be checked.` };
}
