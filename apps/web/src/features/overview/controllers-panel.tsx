"use client";
import { CONTROLLERS } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { ControllerInstanceView } from "@cloudwright/store/views";
import Link from "next/link";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { formatCount } from "../nodes/nodes-sentence.ts";
import { shortController } from "../runs/run-grammar.ts";
import { useCluster } from "../shell/use-cluster.ts";
import styles from "./overview.module.css";
import { Panel } from "./panel.tsx";

type Controller = ControllerInstanceView["controllers"][number];

/** The loops of the leader: what waits in their queues, and what went wrong last. */
export function ControllersPanel({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  const controllers = data?.leader?.controllers ?? [];
  return (
    <Panel title="Controllers">
      {controllers.length === 0 ? (
        <p className={styles.quiet}>
          {data === undefined ? "" : "No controller leads, so no loop runs."}
        </p>
      ) : (
        <ul className={styles.controllers}>
          {controllers.map((controller) => (
            <ControllerLine key={controller.name} cluster={cluster} controller={controller} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ControllerLine({
  cluster,
  controller,
}: {
  readonly cluster: string;
  readonly controller: Controller;
}) {
  const { name, lastError } = controller;
  const runs = addresses.runs(cluster, `controller:${shortController(name)}`);
  return (
    <li className={styles.controller}>
      <Link href={runs} className={styles.controllerName}>
        {CONTROLLERS[name].label}
      </Link>
      <ControllerState controller={controller} />
      <span className={styles.quiet}>{keepUnits(queueText(controller))}</span>
      {lastError === undefined ? null : (
        <p className={styles.lastError}>
          Last error: <span>{lastError}</span>
        </p>
      )}
    </li>
  );
}

function ControllerState({ controller: { queueDepth } }: { readonly controller: Controller }) {
  return (
    <StatusChip
      status={{
        ...STATE_PRESENTATION[queueDepth === 0 ? "ok" : "working"],
        label: queueDepth === 0 ? "Idle" : "Working",
        help: queueDepth === 0 ? "Nothing waits to be looked at." : "Keys wait to be looked at.",
      }}
    />
  );
}

function queueText({ queueDepth, oldestMs }: Controller): string {
  if (queueDepth === 0) return "0 queued";
  return `${formatCount(queueDepth)} queued, the oldest for ${formatDuration(oldestMs)}`;
}
