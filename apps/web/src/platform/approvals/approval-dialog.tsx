"use client";
import type { Intent } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { ChangeFailed } from "../../components/form/form.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ReasonField } from "../actions/dialog/dialog-fields.tsx";
import { PreviewPanel } from "../actions/dialog/preview-panel.tsx";
import { type RequestedPreview, usePreview } from "../actions/dialog/use-preview.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { actionTitle } from "../wording/action-title.ts";
import { ApprovalModal, RequestedBy } from "./approval-modal.tsx";
import { useReason } from "./use-reason.ts";

/** Another user's request, with what it would do now, and the two decisions. */
export function ApprovalDialog({
  intent,
  onClose,
}: {
  readonly intent: Intent;
  readonly onClose: () => void;
}) {
  return (
    <ApprovalModal what={actionTitle(intent)} onClose={onClose}>
      <Decision intent={intent} onClose={onClose} />
    </ApprovalModal>
  );
}

function Decision({ intent, onClose }: { readonly intent: Intent; readonly onClose: () => void }) {
  const { cluster, controller, object, action } = intent;
  const preview = usePreview({ cluster, kind: action.kind, controller, object }, action);
  const plan = preview.state.kind === "answered" ? preview.state.plan : undefined;
  const reason = useReason();
  const decide = useDecide(intent, onClose);
  const send = (decision: "approve" | "decline") => {
    const text = reason.checked();
    if (text === undefined || decide.isPending) return;
    const of = { cluster, id: intent.id, why: text };
    if (decision === "decline") decide.mutate({ ...of, decision });
    else if (plan !== undefined) decide.mutate({ ...of, decision, planHash: plan.planHash });
  };
  return (
    // Enter decides nothing: there is no submit button.
    <form ref={reason.form} className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
      <RequestedBy intent={intent} />
      <PreviewPanel cluster={cluster} action={action} preview={preview} />
      <Moved intent={intent} planHash={plan?.planHash} />
      <ReasonField value={reason.value} problem={reason.problem} isFirst onChange={reason.change} />
      <ChangeFailed error={decide.error} />
      <div className="buttons centred at-end">
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button aria-disabled={decide.isPending} onClick={() => send("decline")}>
          {t`Decline`}
        </Button>
        <GatedButton
          appearance="primary"
          whyNot={obstacleOf(preview.state)}
          onClick={() => send("approve")}
        >
          {t`Approve this plan`}
        </GatedButton>
      </div>
    </form>
  );
}

/** Says that the plan differs from the one that the requester saw: the approval is for the plan shown here. */
function Moved({
  intent: { actor, planHash },
  planHash: shown,
}: {
  readonly intent: Intent;
  readonly planHash: string | undefined;
}) {
  if (shown === undefined || planHash === undefined || shown === planHash) return null;
  return (
    <p role="status" className="failure">
      {mixed`The plan has changed since ${actor} asked. You approve the one that is shown here;
        if it changes again, nothing is done.`}
    </p>
  );
}

/** Returns why it cannot be approved now; undefined if it can. Declining needs no plan. */
function obstacleOf({ kind }: RequestedPreview["state"]): string | undefined {
  switch (kind) {
    case "answered":
      return undefined;
    case "asking":
      return t`The plan is not known yet.`;
    case "refused":
      return t`The leader would refuse it.`;
    case "failed":
      return t`Without a plan it cannot be approved.`;
  }
}

function useDecide({ cluster, id }: Intent, onDone: () => void) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation(
    api.approvals.decide.mutationOptions({
      onSuccess: (decided) => {
        queryClient.setQueryData(api.intents.byId.queryKey({ cluster, id }), decided);
        onDone();
      },
      onSettled: () =>
        queryClient.invalidateQueries({ queryKey: api.approvals.waiting.queryKey({ cluster }) }),
    }),
  );
}
