"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { CountedChange, ObjectChange } from "@cloudwright/store/views/changes";
import { withoutRequests } from "../../components/evidence/request-parts.ts";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import {
  type Presentation,
  presentations,
  STATE_PRESENTATION,
} from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import type { Stretch } from "../../components/url/time-range.ts";
import { kindWord } from "../../platform/wording/kind-words.ts";
import styles from "./changes.module.css";
import { aboutThen, presentationOfChange } from "./changes-messages.ts";

/** The columns for an object, its state before and after, and the link to what was done to it between the two times. */
export function changeColumns(cluster: string, times: Stretch): readonly Column<CountedChange>[] {
  return [
    column(["change", t`Change`, 104, { narrow: "first" }], (change) => (
      <StatusChip status={presentationOfChange(change)} quiet={change.direction !== "worse"} />
    )),
    column(["object", t`Object`, 190, { narrow: "line", pinned: true }], ({ kind, name }) => (
      <ObjectLink object={{ kind, name }} className={`strong ${styles.name}`} />
    )),
    textColumn(["kind", t`Kind`, 112], ({ kind }) => kindWord(kind)),
    column(["was", t`Was`, 220, { folds: true, narrow: "line" }], ({ was, now }) => (
      <Then then={was} other={now} before />
    )),
    column(["now", t`Is`, 260, { grows: true, folds: true, narrow: "line" }], (row) => (
      <Then then={row.now} other={row.was} note={row.isReplaced ? t`another object` : undefined} />
    )),
    timeColumn(["at", t`Changed`, 112, { narrow: "second" }], ({ now }) => now.at),
    column(["runs", t`Runs`, 84, { align: "end" }], ({ name, runs }) => (
      <Counted
        count={runs}
        href={addresses.runsWithin(cluster, times, `key:${name}`)}
        label={t`${formatCount(runs)} runs of ${name}`}
      />
    )),
    column(["writes", t`Cloud writes`, 112, { align: "end" }], ({ name, cloudWrites }) => (
      <Counted
        count={cloudWrites}
        href={auditOf(cluster, times, name)}
        label={t`${formatCount(cloudWrites)} writes for ${name}, in Audit`}
      />
    )),
  ];
}

function Then({
  then,
  other,
  before = false,
  note,
}: {
  readonly then: ObjectChange["was"];
  readonly other: ObjectChange["was"];
  readonly before?: boolean;
  readonly note?: string | undefined;
}) {
  const about = aboutThen(then, other, useTimeLabels());
  const text = [note ?? "", about].filter((part) => part !== "").join("; ");
  return (
    <span className={before ? `second ${styles.then}` : styles.then} title={text}>
      <StatusChip status={presentationOf(then)} quiet={before || isWell(then)} />{" "}
      {text === "" ? null : <span>{keepUnits(withoutRequests(text))}</span>}
    </span>
  );
}

export function isWell(then: ObjectChange["was"]): boolean {
  return typeof then !== "string" && (then.state === "ok" || then.state === "gone");
}

export function presentationOf(then: ObjectChange["was"]): Presentation {
  return typeof then === "string" ? NOT_KNOWN[then] : STATE_PRESENTATION[then.state];
}

const NOT_KNOWN = presentations({
  absent: {
    label: () => t`Not there`,
    shape: "ring-dash",
    tone: "neutral",
    help: () => t`It did not exist yet.`,
  },
  unknown: {
    label: () => t`Not recorded`,
    shape: "dashed-circle",
    tone: "unknown",
    help: () => t`The earlier value is no longer kept, or is from before this release.`,
  },
});

function Counted({
  count,
  href,
  label,
}: {
  readonly count: number;
  readonly href: string;
  readonly label: string;
}) {
  if (count === 0) return <span className="quiet">0</span>;
  return (
    <Link href={href} aria-label={label} prefetch={false}>
      {formatCount(count)}
    </Link>
  );
}

export function auditOf(cluster: string, { from, to }: Stretch, name: string): string {
  const [start, end] = [from, to].map((at) => new Date(at).toISOString());
  const object = encodeURIComponent(`object:${name}`);
  return addresses.audit(cluster, `?q=${object}&from=${start}&to=${end}`);
}
