import {
  CONTROLLER_NAMES,
  type ControllerName,
  inOrder,
} from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/duration";
import { isReporting } from "@cloudwright/core/model/freshness/freshness";
import { t } from "@cloudwright/core/model/language/text";
import type { IdleController } from "@cloudwright/core/model/records/record";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { formatCount, shortIdentity } from "../../components/presentation/format-text.ts";
import { type Presentation, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { countOf } from "../../platform/wording/action-title.ts";

type Controller = ControllerInstanceView["controllers"][number];

interface Processes {
  readonly leader: ControllerInstanceView | undefined;
  readonly instances: readonly ControllerInstanceView[];
}

/** The controllers of this release, and those that the process has besides. */
export function controllersKnownTo({
  controllers,
  idle = [],
}: Controllers): readonly ControllerName[] {
  return inOrder([...CONTROLLER_NAMES, ...[...controllers, ...idle].map(({ name }) => name)]);
}

type Controllers = Pick<ControllerInstanceView, "controllers" | "idle">;

/** The sentence that opens the page. `readAt` is when the processes' reports were read, by the server's clock. */
export function controllersSentence({ leader, instances }: Processes, readAt: number): string {
  if (leader === undefined) return t`No controller leads, so nothing is reconciled.`;
  const who = shortIdentity(leader.identity);
  return [
    t`${leader.controllers.length} of ${controllersKnownTo(leader).length} controllers run on ${who}.`,
    counted(leader.controllers.filter(({ paused }) => paused !== undefined).length, "paused"),
    failedSentence(leader.controllers),
    permissionsSentence(leader),
    standbySentence(leader, instances, readAt),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${formatCount(count)} ${count === 1 ? "is" : "are"} ${what}.`;
}

function failedSentence(controllers: readonly Controller[]): string {
  const failed = controllers.filter(({ lastError }) => lastError !== undefined).length;
  if (failed === 0) return "";
  return t`${formatCount(failed)} ${failed === 1 ? "has" : "have"} an object that fails.`;
}

function permissionsSentence({ missingPermissions = [] }: ControllerInstanceView): string {
  const count = missingPermissions.length;
  return count === 0
    ? ""
    : t`${countOf(count, "permission")} ${count === 1 ? "is" : "are"} missing.`;
}

function standbySentence(
  leader: ControllerInstanceView,
  instances: readonly ControllerInstanceView[],
  readAt: number,
): string {
  if (leader.dryRun) return t`It is in dry run and writes nothing.`;
  const ready = instances.filter(
    (instance) => !instance.leader && !instance.dryRun && isReporting(instance.heardAt, readAt),
  ).length;
  if (ready > 0) return t`${countOf(ready, "replica")} ${ready === 1 ? "stands" : "stand"} by.`;
  return t`No replica stands by: if this process ends, nothing is reconciled until it is back.`;
}

/** How a process fares: one that no longer reports is unknown, never OK. */
export function processState(instance: ControllerInstanceView, readAt: number): Presentation {
  if (!isReporting(instance.heardAt, readAt)) {
    return {
      ...STATE_PRESENTATION.unknown,
      help: t`It has not reported for half a minute: whether it runs is not known.`,
    };
  }
  const part = instance.leader ? t`Leads` : t`Stands by`;
  return {
    ...STATE_PRESENTATION.ok,
    label: instance.dryRun ? t`${part}, dry run` : part,
    help: instance.leader
      ? t`It holds the Lease.`
      : t`Its caches are warm and it waits for the Lease.`,
  };
}

export function queueText({ queueDepth, oldestMs }: Controller): string {
  if (queueDepth === 0) return "nothing";
  return t`${formatCount(queueDepth)}, the oldest for ${formatDuration(oldestMs)}`;
}

/** Why a controller does not run, and what would make it run. */
export function idleText(idle: IdleController | undefined, provider: string): string {
  if (idle === undefined) return t`The leader did not say why.`;
  return IDLE_TEXTS[idle.cause]({ what: idle.what, provider });
}

interface IdleFacts {
  readonly what: string | undefined;
  readonly provider: string;
}

const IDLE_TEXTS: Readonly<Record<IdleController["cause"], (facts: IdleFacts) => string>> = {
  notSelected: () => t`--controllers leaves it out. Name it there to run it.`,
  flagOff: ({ what = t`A flag` }) => t`${what} turns it off.`,
  notOffered: ({ what = t`part for it`, provider }) =>
    t`The provider ${provider} offers no ${what}.`,
  notBuilt: () => t`This version does not include it.`,
  elsewhere: ({ what = t`another manager` }) => t`The leader migration gives it to ${what}.`,
  waitsForLease: ({ what = t`of the leader migration` }) =>
    t`It starts once this process holds the Lease ${what}.`,
  starting: () => t`It is about to start.`,
};

export function bytesText(bytes: number): string {
  if (bytes === 0) return "nothing";
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
