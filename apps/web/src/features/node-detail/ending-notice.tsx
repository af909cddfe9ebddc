"use client";
import type { NodeDetail } from "@cloudwright/store/views";
import { ActionButton } from "../actions/action-button.tsx";
import { nodeAction } from "../actions/action-choice.ts";
import { Countdown, useServerNow } from "../controls/countdown.tsx";
import { endsSoon } from "../controls/ends-soon.ts";
import { useCluster } from "../shell/use-cluster.ts";
import { type Ending, endingOf } from "./ending.ts";
import styles from "./node-page.module.css";

/** How long a hold or an override still lasts, what comes then, and the way to extend it. */
export function EndingNotice({
  cluster,
  node,
}: {
  readonly cluster: string;
  readonly node: NodeDetail;
}) {
  const { skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const ending = endingOf(node);
  if (ending?.until === undefined) return null;
  const { kind, by, until } = ending;
  const { row } = node;
  const isSoon = endsSoon(until, now);
  return (
    <div className={styles.ending} data-soon={isSoon}>
      <p>
        {kind === "hold" ? "Held" : "Freed unfinished"}
        {by === undefined ? "" : ` by ${by}`} <Countdown until={until} now={now} />. {THEN[kind]}
      </p>
      <span role="status" className="visually-hidden">
        {isSoon ? `Less than 10 minutes are left of the ${kind}.` : ""}
      </span>
      <ActionButton
        choice={{
          ...nodeAction(
            { cluster, controller: row.controller, name: row.name, uid: row.uid },
            kind,
          ),
          isExtension: true,
        }}
      >
        Extend…<span className="visually-hidden"> the {kind}</span>
      </ActionButton>
    </div>
  );
}

const THEN: Readonly<Record<Ending["kind"], string>> = {
  hold: "Then the hold lifts by itself and the node gets what it needs.",
  override: "If it is still not initialised then, the taint comes back.",
};
