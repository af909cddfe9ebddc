"use client";
import { APPROVED_ACTIONS, actionOf } from "@cloudwright/core/model/actions/action";
import { t } from "@cloudwright/core/model/language/text";
import type { ApprovalPolicyView } from "@cloudwright/store/views/approvals";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { AskingForm, FormDialog, WhyField } from "../../../components/form/form.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Pending } from "../../../components/page/panel-states.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { GatedButton } from "../../../platform/actions/gated-button.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import { EachCluster } from "../each-cluster.tsx";
import { SettingsPanel } from "../settings-panel.tsx";

/** Whether actions that may disrupt traffic need a second user, separately for each cluster. */
export function ApprovalSection({ cluster }: { readonly cluster: string | undefined }) {
  return (
    <>
      <SettingsPanel title={t`What another user has to approve`}>
        <p className="second">
          {t`Where a cluster requires it, an action that can take traffic away waits until another
            user has approved it, with at least the role that is needed to request it. No
            controller can see it until then. Holding an object and pausing a controller stop
            writes and never wait, and a retry does what the controller would do by itself.`}
        </p>
        <ul className="stack">
          {APPROVED_ACTIONS.map((kind) => (
            <li key={kind}>
              {actionOf(kind).right()} <span className="quiet small">({actionOf(kind).role})</span>
            </li>
          ))}
        </ul>
      </SettingsPanel>
      <EachCluster
        first={cluster}
        refetchMs={30_000}
        none={t`Approval is set for each cluster, and a cluster appears here with its first controller's heartbeat.`}
      >
        {({ id, name }) => <ClusterApproval cluster={id} name={name} />}
      </EachCluster>
    </>
  );
}

function ClusterApproval({ cluster, name }: { readonly cluster: string; readonly name: string }) {
  const api = useApi();
  const { role } = useViewer();
  const policy = useQuery(api.approvals.policy.queryOptions({ cluster }));
  const [isOpen, setOpen] = useState(false);
  const required = policy.data?.required === true;
  return (
    <SettingsPanel
      title={name}
      aside={
        policy.data === undefined ? undefined : (
          <GatedButton
            whyNot={role === "admin" ? undefined : t`Needs role admin.`}
            aria-label={titleOf(required, name)}
            onClick={() => setOpen(true)}
          >
            {required ? t`Turn off…` : t`Require approval…`}
          </GatedButton>
        )
      }
    >
      {policy.data === undefined ? (
        <Pending query={policy} lines={2} />
      ) : (
        <Standing policy={policy.data} />
      )}
      <FormDialog title={titleOf(required, name)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <ChangeForm cluster={cluster} required={!required} onClose={() => setOpen(false)} />
      </FormDialog>
    </SettingsPanel>
  );
}

function titleOf(required: boolean, name: string): string {
  return required ? t`Turn off approval on ${name}` : t`Require approval on ${name}`;
}

function Standing({ policy }: { readonly policy: ApprovalPolicyView }) {
  const { required, changed, admins } = policy;
  return (
    <>
      <p>
        <strong>{required ? t`Approval is required.` : t`Approval is not required.`}</strong>{" "}
        {changed === undefined ? null : (
          <span className="second">
            {required
              ? mixed`${changed.by} turned it on ${<TimeText at={changed.at} />}.`
              : mixed`${changed.by} turned it off ${<TimeText at={changed.at} />}.`}
          </span>
        )}
      </p>
      {admins >= 2 ? null : <TooFew policy={policy} />}
    </>
  );
}

/** Warns that an admin who requests something has nobody to approve it. */
function TooFew({ policy: { required, admins } }: { readonly policy: ApprovalPolicyView }) {
  const isOne = admins === 1;
  return required ? (
    <p className="failure">
      {isOne
        ? t`Only one admin has access to this cluster: nobody can approve that admin's requests.
          Add a second admin, or turn it off.`
        : t`No admin has access to this cluster: nobody can approve requests. Give two admins
          access, or turn it off.`}
    </p>
  ) : (
    <p className="quiet small">
      {isOne
        ? t`Only one admin has access to this cluster, so it cannot be turned on: nobody could
          approve that admin's requests.`
        : t`No admin has access to this cluster, so it cannot be turned on: nobody could approve
          requests.`}
    </p>
  );
}

function ChangeForm({
  cluster,
  required,
  onClose,
}: {
  readonly cluster: string;
  readonly required: boolean;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const queryClient = useQueryClient();
  const change = useMutation(
    api.approvals.setPolicy.mutationOptions({
      onSuccess: (policy) => {
        queryClient.setQueryData(api.approvals.policy.queryKey({ cluster }), policy);
        onClose();
      },
    }),
  );
  return (
    <AskingForm
      button={required ? t`Require approval` : t`Turn off`}
      appearance={required ? "primary" : "danger"}
      state={change}
      onCancel={onClose}
      onSubmit={({ text }) => change.mutate({ cluster, required, why: text("why") ?? "" })}
    >
      <p>
        {required
          ? t`From now on, these actions wait for another user's approval, for at most one hour. Actions requested earlier are not affected.`
          : t`From now on, one user is enough. Actions that are already waiting keep waiting: approve them, or withdraw them and request them again.`}
      </p>
      <WhyField required />
    </AskingForm>
  );
}
