"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Reason } from "@cloudwright/core/model/reason";
import { sentence } from "@cloudwright/core/model/sentence";
import type { State } from "@cloudwright/core/model/state";
import { CopyButton } from "./button/copy-button.tsx";
import styles from "./diagnosis.module.css";
import { SentenceText } from "./evidence/sentence-text.tsx";
import { AsOfNote } from "./freshness/freshness-banner.tsx";
import { mixed } from "./language/mixed-text.ts";
import { STATE_PRESENTATION } from "./presentation/states.ts";
import { useNow } from "./time/ticker.ts";
import { TimeText, useTimeLabels } from "./time/time-text.tsx";

/** The sentence that explains an object's state, the same as in the Event, the log and the export. */
export function Diagnosis({
  object,
  row,
  goneAt,
}: {
  readonly object: ObjectRef;
  readonly row: {
    readonly state: State;
    readonly reason: Reason;
    readonly since: number;
    readonly nextAt: number | undefined;
  };
  readonly goneAt: number | undefined;
}) {
  const now = useNow();
  const time = useTimeLabels();
  const text = sentence({
    object,
    state: row.state,
    reason: row.reason,
    sinceMs: row.since,
    nextAtMs: row.nextAt,
    nowMs: now,
    time,
  });
  return (
    <div
      className={`flex top apart gap-3 break lead on-surface ${styles.diagnosis}`}
      data-tone={STATE_PRESENTATION[row.state].tone}
    >
      <p>
        <AsOfNote />
        <SentenceText text={text.replaceAll("`", "")} />
        {goneAt === undefined ? null : <> {mixed`Gone ${<TimeText at={goneAt} />}.`}</>}
      </p>
      <CopyButton text={text} label={t`Copy the diagnosis`} />
    </div>
  );
}
