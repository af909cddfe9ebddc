"use client";
import { CONTROLLERS } from "@cloudwright/core/model/controller-names";
import { type GuardStatus, heldCount } from "@cloudwright/core/model/controls";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { ControllerInstanceView } from "@cloudwright/store/views";
import Link from "next/link";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { controllerState, isSilent } from "../controllers/controllers-words.ts";
import { useServerNow } from "../controls/countdown.tsx";
import { formatCount } from "../nodes/nodes-sentence.ts";
import { shortController } from "../runs/run-grammar.ts";
import { useCluster } from "../shell/use-cluster.ts";
import styles from "./overview.module.css";
import { Panel } from "./panel.tsx";

type Controller = ControllerInstanceView["controllers"][number];

/** The loops of the leader: what waits in their queues, and what went wrong last. */
export function ControllersPanel({ cluster }: { readonly cluster: string }) {
  const { data, skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const leader = data?.leader;
  const controllers = leader?.controllers ?? [];
  const isUnknown = leader !== undefined && isSilent(leader, now);
  return (
    <Panel
      title="Controllers"
      aside={
        <Link href={addresses.controllers(cluster)} prefetch={false}>
          All controllers
        </Link>
      }
    >
      {controllers.length === 0 ? (
        <p className={styles.quiet}>
          {data === undefined ? "" : "No controller leads, so no loop runs."}
        </p>
      ) : (
        <ul className={styles.controllers}>
          {controllers.map((controller) => (
            <ControllerLine
              key={controller.name}
              cluster={cluster}
              controller={controller}
              isUnknown={isUnknown}
            />
          ))}
        </ul>
      )}
      <GuardLine guard={leader?.controls?.guard} />
    </Panel>
  );
}

/** How many deletions the guard has let through; what it holds is among the problems. */
function GuardLine({ guard }: { readonly guard: GuardStatus | undefined }) {
  if (guard === undefined) return null;
  const { deleted, limit, windowMs, windowEndsAt } = guard;
  const count = heldCount(guard);
  const waiting = count === 0 ? "" : ` ${formatCount(count)} held.`;
  return (
    <p className={styles.quiet}>
      {keepUnits(
        `Deletion guard: ${formatCount(deleted)} of at most ${formatCount(limit)} nodes deleted within ${formatDuration(windowMs)}.${waiting}`,
      )}
      {windowEndsAt === undefined ? null : (
        <>
          {" "}
          This window ends <TimeText at={windowEndsAt} />.
        </>
      )}
    </p>
  );
}

function ControllerLine({
  cluster,
  controller,
  isUnknown,
}: {
  readonly cluster: string;
  readonly controller: Controller;
  readonly isUnknown: boolean;
}) {
  const { name, lastError, paused } = controller;
  const runs = addresses.runs(cluster, `controller:${shortController(name)}`);
  return (
    <li className={styles.controller}>
      <Link href={runs} className={styles.controllerName}>
        {CONTROLLERS[name].label}
      </Link>
      <StatusChip status={controllerState(controller, isUnknown)} />
      <span className={styles.quiet}>{keepUnits(queueText(controller))}</span>
      {paused === undefined ? null : (
        <p className={styles.lastError}>
          Paused by {paused.by} until <ClockText at={paused.until} />: {paused.why}
        </p>
      )}
      {lastError === undefined ? null : (
        <p className={styles.lastError}>
          Last error: <span>{lastError}</span>
        </p>
      )}
    </li>
  );
}

function queueText({ queueDepth, oldestMs }: Controller): string {
  if (queueDepth === 0) return "0 queued";
  return `${formatCount(queueDepth)} queued, the oldest for ${formatDuration(oldestMs)}`;
}
