"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import { useCluster } from "../live/use-cluster.ts";
import styles from "./controls.module.css";
import { Countdown, useServerNow } from "./countdown.tsx";
import { GuardPanel } from "./guard-panel.tsx";
import { PauseButtons, pauseObstacle } from "./pause-buttons.tsx";

type Controller = ControllerInstanceView["controllers"][number];

/** The loops of a cluster's leader with buttons to pause and resume each, and its deletion guard. */
export function ControllersControl({
  cluster,
  leader,
}: {
  readonly cluster: string;
  readonly leader: ControllerInstanceView;
}) {
  const obstacle = pauseObstacle(leader);
  return (
    <>
      {obstacle === undefined ? null : (
        <p className={`pad-2-3 small round-small ${page.note}`}>{obstacle}</p>
      )}
      <ul className={styles.controllers} aria-label={t`Controllers`}>
        {leader.controllers.map((controller) => (
          <ControllerLine
            key={controller.name}
            cluster={cluster}
            controller={controller}
            obstacle={obstacle}
          />
        ))}
      </ul>
      <GuardPanel cluster={cluster} guard={leader.controls?.guard} obstacle={obstacle} />
    </>
  );
}

function ControllerLine({
  cluster,
  controller,
  obstacle,
}: {
  readonly cluster: string;
  readonly controller: Controller;
  readonly obstacle: string | undefined;
}) {
  const { skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const { name, queueDepth, paused } = controller;
  const { label } = controllerOf(name);
  return (
    <li className={`row ${styles.controller}`}>
      <div className={styles.name}>
        <strong>{label}</strong> <code>{name}</code>
      </div>
      {paused === undefined ? (
        <RowStatus status={RUNS} />
      ) : (
        <RowStatus status={PAUSED}>
          {mixed`by ${paused.by} ${<Countdown until={paused.until} now={now} />}:
            “${paused.why}”`}
        </RowStatus>
      )}
      <span className={`small ${styles.quiet}`}>{mixed`${queueDepth} queued`}</span>
      <span className={`buttons ${styles.buttons}`}>
        <PauseButtons cluster={cluster} controller={controller} obstacle={obstacle} />
      </span>
    </li>
  );
}

const RUNS = {
  ...STATE_PRESENTATION.ok,
  get label() {
    return t`Running`;
  },
  get help() {
    return t`It processes what is due.`;
  },
} as const;

const PAUSED = {
  ...STATE_PRESENTATION.held,
  get label() {
    return t`Paused`;
  },
  get help() {
    return t`It processes nothing until it is resumed or the pause ends.`;
  },
} as const;
