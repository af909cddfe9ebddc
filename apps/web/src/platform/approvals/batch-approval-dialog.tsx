"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { DecisionAnswer } from "@cloudwright/store/views/approvals";
import { Button } from "../../components/button/button.tsx";
import { ChangeFailed } from "../../components/form/form.tsx";
import { useTimeLabels } from "../../components/time/time-text.tsx";
import { bulkOf } from "../actions/bulk-choice.ts";
import { titleOfMany } from "../actions/bulk-title.ts";
import { groupsOf } from "../actions/dialog/bulk-groups.ts";
import { BulkGroupsList } from "../actions/dialog/bulk-groups-list.tsx";
import { bulkSentence, isConfirmable } from "../actions/dialog/bulk-rows.ts";
import { ReasonField } from "../actions/dialog/dialog-fields.tsx";
import { GatedButton } from "../actions/gated-button.tsx";
import { ApprovalModal, RequestedBy } from "./approval-modal.tsx";
import { type ReviewedRow, refusedBy, useDecideBatch, useReview } from "./use-batch-approval.ts";
import { useReason } from "./use-reason.ts";

/** Another user's batch, grouped by what it would do now, and the two decisions for all of it. */
export function BatchApprovalDialog({
  intents,
  onClose,
}: {
  readonly intents: readonly Intent[];
  readonly onClose: () => void;
}) {
  const [first] = intents;
  if (first === undefined) return null;
  return (
    <ApprovalModal what={titleOfMany(first, intents.length)} onClose={onClose}>
      <Decision first={first} intents={intents} onClose={onClose} />
    </ApprovalModal>
  );
}

interface DecisionProps {
  readonly first: Intent;
  readonly intents: readonly Intent[];
  readonly onClose: () => void;
}

function Decision({ first, intents, onClose }: DecisionProps) {
  const rows = useReview(intents);
  const decide = useDecideBatch(rows, onClose);
  const reason = useReason();
  const send = (how: (why: string) => void) => {
    const why = reason.checked();
    if (why !== undefined && !decide.isPending) how(why);
  };
  if (decide.answers !== undefined) {
    return <Outcome answers={decide.answers} intents={intents} onClose={onClose} />;
  }
  return (
    // Enter decides nothing: there is no submit button.
    <form ref={reason.form} className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
      <Review first={first} rows={rows} />
      <ReasonField value={reason.value} problem={reason.problem} isFirst onChange={reason.change} />
      <ChangeFailed error={decide.error} />
      <div className="buttons centred at-end">
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button aria-disabled={decide.isPending} onClick={() => send(decide.decline)}>
          {t`Decline all ${intents.length}`}
        </Button>
        <GatedButton
          appearance="primary"
          whyNot={obstacleOf(rows)}
          onClick={() => send(decide.approve)}
        >
          {approveText(rows)}
        </GatedButton>
      </div>
    </form>
  );
}

/** The requester and the reason, and what each action would do now. */
function Review({ first, rows }: Pick<DecisionProps, "first"> & ReviewedRows) {
  const { actor, controller, object, action } = first;
  const of = bulkOf({ kind: action.kind, controller, object });
  const clock = useTimeLabels();
  const actions = new Map(rows.map(({ target, intent }) => [target, intent.action]));
  const groups = groupsOf(rows, { actionOf: (target) => actions.get(target), clock });
  return (
    <>
      <RequestedBy intent={first} />
      <p role="status" className="break lead bold">
        {bulkSentence(
          rows.map(({ standing }) => standing),
          of,
        )}
      </p>
      <BulkGroupsList of={of} groups={groups} />
      <Moved actor={actor} rows={rows} />
    </>
  );
}

interface ReviewedRows {
  readonly rows: readonly ReviewedRow[];
}

/** Says that the plans differ from those that the requester saw: the approval is for the plans shown here. */
function Moved({ actor, rows }: ReviewedRows & { readonly actor: string }) {
  const moved = rows.filter(
    ({ intent: { planHash }, standing: { plan } }) =>
      plan !== undefined && planHash !== undefined && plan.planHash !== planHash,
  ).length;
  if (moved === 0) return null;
  return (
    <p role="status" className="failure">
      {moved === 1
        ? t`One plan has changed since ${actor} asked. You approve the plans that are shown here; one that changes again is not carried out.`
        : t`${moved} plans have changed since ${actor} asked. You approve the plans that are shown here; one that changes again is not carried out.`}
    </p>
  );
}

/** Has no number until every plan is known: otherwise a partial count would be approved as the whole. */
function approveText(rows: readonly ReviewedRow[]): string {
  const count = rows.filter(({ standing }) => isConfirmable(standing)).length;
  if (count === 0 || isPlanning(rows)) return t`Approve`;
  return count === 1 ? t`Approve this plan` : t`Approve these ${count} plans`;
}

function isPlanning(rows: readonly ReviewedRow[]): boolean {
  return rows.some(({ standing }) => standing.kind === "asking");
}

/** Returns why nothing can be approved now; undefined if it can. Declining needs no plan. */
function obstacleOf(rows: readonly ReviewedRow[]): string | undefined {
  if (isPlanning(rows)) return t`Not all plans are known yet.`;
  return rows.some(({ standing }) => isConfirmable(standing))
    ? undefined
    : t`Without a plan it cannot be approved.`;
}

/** If some could not be decided any more: how many were decided, and which others were not and why. */
function Outcome({
  answers,
  intents,
  onClose,
}: Pick<DecisionProps, "intents" | "onClose"> & {
  readonly answers: readonly DecisionAnswer[];
}) {
  const names = new Map(intents.map(({ id, object }) => [id, objectName(object)]));
  return (
    <div className="grid gap-4">
      <p role="status" className="break lead bold">
        {outcomeText(answers)}
      </p>
      <ul className="stack" aria-label={t`Not decided`}>
        {[...refusedBy(answers)].map(([why, ids]) => (
          <li key={why} className="break">
            <strong>{ids.map((id) => names.get(id) ?? id).join(", ")}</strong>
            <span className="block small second">{why}</span>
          </li>
        ))}
      </ul>
      <div className="buttons at-end">
        <Button onClick={onClose}>{t`Close`}</Button>
      </div>
    </div>
  );
}

/** `38 approved, 2 not decided.` */
function outcomeText(answers: readonly DecisionAnswer[]): string {
  const decided = answers.flatMap((answer) => (answer.kind === "decided" ? [answer.intent] : []));
  const left = answers.length - decided.length;
  return decided[0]?.state === "rejected"
    ? t`${decided.length} declined, ${left} not decided.`
    : t`${decided.length} approved, ${left} not decided.`;
}
