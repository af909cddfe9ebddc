"use client";
import { actionOf } from "@cloudwright/core/model/actions/action";
import { t } from "@cloudwright/core/model/language/text";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { useCluster } from "../../live/use-cluster.ts";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import {
  actOf,
  type BulkAct,
  type BulkChoice,
  bulkCount,
  bulkDone,
  bulkThings,
  bulkTitle,
} from "../bulk-choice.ts";
import { closeDialog } from "../dialog-store.ts";
import styles from "./action-dialog.module.css";
import { ApprovalNote } from "./approval-note.tsx";
import { groupsOf } from "./bulk-groups.ts";
import { BulkGroupsList } from "./bulk-groups-list.tsx";
import {
  type BulkRow,
  type BulkStanding,
  bulkSentence,
  isConfirmable,
  standingOf,
} from "./bulk-rows.ts";
import { EndField, ReasonField, TypedField } from "./dialog-fields.tsx";
import { FormButtons } from "./form-buttons.tsx";
import { useBulk } from "./use-bulk.ts";
import { useSilence } from "./use-confirmation.ts";
import { useEnd } from "./use-end.ts";
import { useLate } from "./use-preview.ts";

/** One action on many objects: first the plan of each, then a request for all whose plans allow it. */
export function BulkForm({ choice }: { readonly choice: BulkChoice }) {
  const act = actOf(choice);
  const { kind, of } = act;
  const end = useEnd(kind, useCluster(choice.cluster).skewMs);
  const { rows, confirm, isSending, forget } = useBulk(choice, end.until);
  const standings = rows.map(standingOf);
  const count = countOfPlanned(standings);
  const { isDestructive = false, usualReason = "" } = actionOf(kind);
  const fields = useFields(usualReason, isDestructive ? String(count) : undefined);
  const isRequested = standings.some(({ kind }) => kind === "waiting" || kind === "done");
  useCloseOnceTaken(choice, { standings, isRequested });
  const whyNot = whyNotNow(standings, isSending) ?? noneOf(standings, act);
  const form = useRef<HTMLFormElement>(null);
  const ask = () => {
    if (whyNot !== undefined) return;
    const wrong = fields.check();
    if (wrong === undefined) void confirm(fields.why.trim());
    // Focusing the field makes a screen reader announce its error.
    else form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDestructive) ask();
  };
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4" noValidate>
      <Effect act={act} rows={rows} standings={standings} until={end.until} />
      <EndField
        kind={kind}
        end={end}
        onChoose={(lengthMs) => {
          forget();
          end.choose(lengthMs);
        }}
      />
      <ReasonField
        value={fields.why}
        problem={fields.problems.why}
        isFirst={!isDestructive}
        onChange={fields.setWhy}
      />
      <TypedField
        typed={
          count === 0 || fields.wanted === undefined
            ? undefined
            : { what: t`the number of ${bulkThings(of)}`, text: fields.wanted }
        }
        value={fields.typed}
        problem={fields.problems.typed}
        onChange={fields.setTyped}
      />
      <ApprovalNote cluster={choice.cluster} kind={kind} />
      <FormButtons
        text={confirmText(act, { count, all: rows.length, isRequested })}
        isDestructive={isDestructive}
        isRequested={isRequested}
        whyNot={whyNot}
        onConfirm={ask}
      />
    </form>
  );
}

/** Returns how many a confirmation would request; none while plans are still arriving, because the number would keep growing. */
function countOfPlanned(standings: readonly BulkStanding[]): number {
  const isPlanning = standings.some(({ kind }) => kind === "asking");
  return isPlanning ? 0 : standings.filter(isConfirmable).length;
}

/** Labels the button with how many of the targets can be confirmed; while there are none, with the dialog's title. */
function confirmText(
  act: BulkAct,
  {
    count,
    all,
    isRequested,
  }: { readonly count: number; readonly all: number; readonly isRequested: boolean },
): string {
  if (count === 0) return bulkTitle(act, all);
  return isRequested ? t`Request again for ${bulkCount(act.of, count)}` : bulkTitle(act, count);
}

/** Holds the reason and, for irreversible actions, the typed number; `wanted` is the number to type. */
function useFields(usualReason: string, wanted: string | undefined) {
  const [why, setWhy] = useState(usualReason);
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const isTyped = wanted === undefined || typed.trim() === wanted;
  const problems = {
    why: why.trim() === "" ? t`Enter a reason: it is kept in the audit record.` : undefined,
    typed: isTyped ? undefined : t`Type exactly ${wanted}.`,
  };
  return {
    ...{ why, setWhy, typed, setTyped, wanted },
    problems: tried ? problems : { why: undefined, typed: undefined },
    /** Returns the name of the first wrong field. */
    check: () => {
      setTried(true);
      if (problems.why !== undefined) return "why";
      return problems.typed === undefined ? undefined : "typed";
    },
  };
}

/** Closes the dialog once all requests have been claimed: the tray continues to show them. */
function useCloseOnceTaken(
  { onDone }: BulkChoice,
  now: { readonly standings: readonly BulkStanding[]; readonly isRequested: boolean },
): void {
  const isOver = now.standings.every(({ kind }) => kind === "done" || kind === "leftOut");
  const { isRequested } = now;
  useEffect(() => {
    if (!isOver || !isRequested) return;
    onDone();
    closeDialog();
  }, [isOver, isRequested, onDone]);
}

function Effect({
  act: { of },
  rows,
  standings,
  until,
}: {
  readonly act: BulkAct;
  readonly rows: readonly BulkRow[];
  readonly standings: readonly BulkStanding[];
  readonly until: number;
}) {
  const clock = useTimeLabels();
  const actionOf = (target: ActionChoice) => actionOfChoice(target, until);
  return (
    <>
      <section className={`stack pad-3-4 sunken ${styles.effect}`} aria-label={t`Effect now`}>
        <p role="status" className="break lead bold">
          {bulkSentence(standings, of)}
        </p>
        <Late isRequesting={standings.some(({ kind }) => kind === "asking")} />
      </section>
      <BulkGroupsList of={of} groups={groupsOf(rows, { actionOf, clock })} />
    </>
  );
}

function whyNotNow(standings: readonly BulkStanding[], isSending: boolean): string | undefined {
  if (isSending) return t`It is being requested.`;
  if (standings.some(({ kind }) => kind === "asking")) return t`Not all plans are known yet.`;
  if (standings.some(({ kind }) => kind === "waiting")) return t`It has been requested.`;
  return undefined;
}

function noneOf(standings: readonly BulkStanding[], act: BulkAct): string | undefined {
  if (standings.some(isConfirmable)) return undefined;
  return t`None of these ${bulkThings(act.of)} can be ${bulkDone(act)} now.`;
}

function Late({ isRequesting }: { readonly isRequesting: boolean }) {
  const isLate = useLate("bulk");
  const silence = useSilence();
  return isLate && isRequesting ? (
    <p className={`stack pad-2-3 break on-stuck round-small ${styles.error}`}>{silence}</p>
  ) : null;
}
