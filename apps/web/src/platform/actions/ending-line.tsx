"use client";
import { mixed } from "../../components/language/mixed-text.ts";
import styles from "../../components/page/detail-page.module.css";
import { Countdown, endsSoon, useServerNow } from "../controls/countdown.tsx";
import { useCluster } from "../live/use-cluster.ts";
import { ActionButton } from "./action-button.tsx";
import type { ActionChoice } from "./action-choice.ts";
import { extensionWords } from "./extension-words.ts";

/** How long a hold or an override still lasts, what happens then, and the button that extends it. */
export function EndingLine({
  choice,
  what,
  until,
  afterwards,
}: {
  /** The hold or override itself, as it would be requested again. */
  readonly choice: ActionChoice;
  /** `Held by ana`. */
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly afterwards: string;
}) {
  const { skewMs } = useCluster(choice.cluster);
  const now = useServerNow(skewMs);
  const isSoon = endsSoon(until, now);
  return (
    <div className={`row apart ${styles.ending}`} data-soon={isSoon}>
      <p>{mixed`${what} ${<Countdown until={until} now={now} />}. ${afterwards}`}</p>
      <span role="status" className="visually-hidden">
        {isSoon ? extensionWords(choice.kind).endsSoon : ""}
      </span>
      <ActionButton choice={{ ...choice, isExtension: true }} of={extensionWords(choice.kind).of} />
    </div>
  );
}
