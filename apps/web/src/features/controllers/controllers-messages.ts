import {
  CONTROLLER_NAMES,
  type ControllerName,
  inOrder,
} from "@cloudwright/core/model/controller-names";
import { isReporting } from "@cloudwright/core/model/freshness/freshness";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { IdleController } from "@cloudwright/core/model/records/record";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { formatCount, shortIdentity } from "../../components/presentation/format-text.ts";
import { type Presentation, STATE_PRESENTATION } from "../../components/presentation/states.ts";

type Controller = ControllerInstanceView["controllers"][number];

interface Processes {
  readonly leader: ControllerInstanceView | undefined;
  readonly instances: readonly ControllerInstanceView[];
}

/** Returns the controllers of this release, plus those that the process has in addition. */
export function controllersKnownTo({
  controllers,
  idle = [],
}: Controllers): readonly ControllerName[] {
  return inOrder([...CONTROLLER_NAMES, ...[...controllers, ...idle].map(({ name }) => name)]);
}

type Controllers = Pick<ControllerInstanceView, "controllers" | "idle">;

/** Words the page's summary. `readAt` is when the processes' reports were read, by the server's clock. */
export function controllersSentence({ leader, instances }: Processes, readAt: number): string {
  if (leader === undefined) return t`No controller leads, so nothing is reconciled.`;
  const who = shortIdentity(leader.identity);
  return [
    t`${leader.controllers.length} of ${controllersKnownTo(leader).length} controllers run on ${who}.`,
    pausedSentence(leader.controllers),
    failedSentence(leader.controllers),
    permissionsSentence(leader),
    standbySentence(leader, instances, readAt),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function pausedSentence(controllers: readonly Controller[]): string {
  const count = controllers.filter(({ paused }) => paused !== undefined).length;
  if (count === 0) return "";
  return count === 1 ? t`1 is paused.` : t`${formatCount(count)} are paused.`;
}

function failedSentence(controllers: readonly Controller[]): string {
  const failed = controllers.filter(({ lastError }) => lastError !== undefined).length;
  if (failed === 0) return "";
  return failed === 1
    ? t`1 has a failing object.`
    : t`${formatCount(failed)} have failing objects.`;
}

function permissionsSentence({ missingPermissions = [] }: ControllerInstanceView): string {
  const count = missingPermissions.length;
  if (count === 0) return "";
  return count === 1
    ? t`1 permission is missing.`
    : t`${formatCount(count)} permissions are missing.`;
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
  if (ready === 1) return t`1 replica stands by.`;
  if (ready > 1) return t`${formatCount(ready)} replicas stand by.`;
  return t`No replica stands by: if this process ends, nothing is reconciled until it is back.`;
}

/** Returns the state of a process: one that no longer reports is unknown, never OK. */
export function processState(instance: ControllerInstanceView, readAt: number): Presentation {
  if (!isReporting(instance.heardAt, readAt)) {
    return {
      ...STATE_PRESENTATION.unknown,
      help: t`It has not reported for half a minute, so whether it is still running is not known.`,
    };
  }
  return {
    ...STATE_PRESENTATION.ok,
    label: partOf(instance),
    help: instance.leader
      ? t`It holds the Lease.`
      : t`Its caches are warm and it waits for the Lease.`,
  };
}

function partOf({ leader, dryRun }: ControllerInstanceView): string {
  if (leader) return dryRun ? t`Leads, dry run` : t`Leads`;
  return dryRun ? t`Stands by, dry run` : t`Stands by`;
}

export function queueText({ queueDepth, oldestMs }: Controller): string {
  if (queueDepth === 0) return t`nothing`;
  return t`${formatCount(queueDepth)}, the oldest for ${formatDuration(oldestMs)}`;
}

/** Says why a controller does not run, and how to make it run. */
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
  flagOff: ({ what }) => (what === undefined ? t`A flag turns it off.` : t`${what} turns it off.`),
  notOffered: ({ what, provider }) =>
    what === undefined
      ? t`The provider ${provider} does not support it.`
      : t`The provider ${provider} offers no ${what}.`,
  notBuilt: () => t`This version does not include it.`,
  elsewhere: ({ what }) =>
    what === undefined
      ? t`The leader migration gives it to another manager.`
      : t`The leader migration gives it to ${what}.`,
  waitsForLease: ({ what }) =>
    what === undefined
      ? t`It starts once this process holds the Lease of the leader migration.`
      : t`It starts once this process holds the Lease ${what}.`,
  starting: () => t`It is about to start.`,
};

export function bytesText(bytes: number): string {
  if (bytes === 0) return t`nothing`;
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
