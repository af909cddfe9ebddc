"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { CountedChange, ObjectChange, StateThen } from "@cloudwright/store/views/changes";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { Fact, Facts } from "../../components/facts/fact.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { ClockText, useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { objectAddress } from "../../components/url/object-address.ts";
import type { Stretch } from "../../components/url/time-range.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { kindWord } from "../../platform/wording/kind-words.ts";
import { auditOf, isWell, presentationOf } from "./change-columns.tsx";
import styles from "./changes.module.css";
import { aboutThen, presentationOfChange } from "./changes-messages.ts";

/** One object at both times in full, how often it changed between them, and the link to what was done to it. */
export function ChangePeek({
  change,
  times,
  onClose,
}: {
  readonly change: CountedChange;
  readonly times: Stretch;
  readonly onClose: () => void;
}) {
  const cluster = useClusterId();
  const { kind, name, was, now, isReplaced } = change;
  return (
    <PeekPanel
      title={`${kindWord(kind)} ${name}`}
      href={objectAddress(cluster, { kind, name })}
      onClose={onClose}
    >
      <p>
        <StatusChip status={presentationOfChange(change)} prominent />
      </p>
      {isReplaced ? <p>{t`Another object of this name is there now.`}</p> : null}
      <Then title={t`Was`} then={was} other={now} at={times.from} />
      <Then title={t`Is`} then={now} other={was} at={times.to} />
      <Between change={change} times={times} />
    </PeekPanel>
  );
}

function Then({
  title,
  then,
  other,
  at,
}: {
  readonly title: string;
  readonly then: ObjectChange["was"];
  readonly other: ObjectChange["was"];
  readonly at: number;
}) {
  const about = aboutThen(then, other, useTimeLabels());
  return (
    <section className={`stack line-above ${styles.section}`}>
      <h3 className="body-size bold">
        {title}{" "}
        <span className="quiet light">
          (<ClockText at={at} />)
        </span>
      </h3>
      <p>
        <StatusChip status={presentationOf(then)} quiet={isWell(then)}>
          {typeof then === "string" ? undefined : <Since then={then} />}
        </StatusChip>
      </p>
      {about === "" ? null : (
        <p className="break">
          <SentenceText text={about} />
        </p>
      )}
    </section>
  );
}

function Since({ then: { at } }: { readonly then: StateThen }) {
  return <>{mixed`since ${<ClockText at={at} />}`}</>;
}

function Between({
  change: { name, times: changed, runs, cloudWrites },
  times,
}: {
  readonly change: CountedChange;
  readonly times: Stretch;
}) {
  const cluster = useClusterId();
  return (
    <Facts>
      <Fact label={t`Times changed`}>{formatCount(changed)}</Fact>
      <Fact label={t`Runs`}>
        {runs === 0 ? (
          "0"
        ) : (
          <Link href={addresses.runsWithin(cluster, times, `key:${name}`)}>
            {formatCount(runs)}
          </Link>
        )}
      </Fact>
      <Fact label={t`Cloud writes`}>
        {cloudWrites === 0 ? (
          "0"
        ) : (
          <Link href={auditOf(cluster, times, name)}>{formatCount(cloudWrites)}</Link>
        )}
      </Fact>
    </Facts>
  );
}
