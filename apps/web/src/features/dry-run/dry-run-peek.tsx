"use client";
import { notTakenSentence } from "@cloudwright/core/model/audit/change-messages";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { cause } from "@cloudwright/core/model/sentence";
import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { DiffTable, keyedChanges } from "../../components/facts/diff-table.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ObjectLink } from "../../components/object-link.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { fullName } from "../../components/url/object-address.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import styles from "./dry-run.module.css";
import { titleBeside } from "./dry-run-messages.ts";

/** Each change of the plan with what it would replace, and what would be left out. */
export function DryRunPeek({
  row,
  onClose,
}: {
  readonly row: ShadowRow;
  readonly onClose: () => void;
}) {
  const cluster = useClusterId();
  const { object, runId, controller, changes, notTaken, next } = row;
  const time = useTimeLabels();
  return (
    <PeekPanel title={fullName(object)} href={addresses.run(cluster, runId)} onClose={onClose}>
      <p>
        {mixed`${controllerOf(controller).label} of ${<ObjectLink object={object} />}, planned
          and not done.`}
      </p>
      {changes.length === 0 ? <p>{t`Nothing would be changed.`}</p> : null}
      {keyedChanges(changes).map(({ key, change }) => (
        <section key={key} className={`stack line-above ${styles.change}`}>
          <h3 className="body-size bold">{titleBeside(object, change)}</h3>
          <p className="quiet">
            <SentenceText text={t`${cause(change.reason, time)}.`} />
          </p>
          <DiffTable
            what={titleBeside(object, change)}
            before={change.before}
            after={change.after}
          />
        </section>
      ))}
      {notTaken.map((left) => (
        <p key={left.step} className={`stack line-above ${styles.change}`}>
          <SentenceText text={notTakenSentence(left, time)} />
        </p>
      ))}
      <p className={`stack line-above ${styles.change}`}>
        <SentenceText text={t`Then: ${cause(next.reason, time)}.`} />
      </p>
    </PeekPanel>
  );
}
