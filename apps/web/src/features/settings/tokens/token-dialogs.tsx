"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ApiTokenKind, ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { AskingForm, FormDialog, WhyField } from "../../../components/form/form.tsx";
import { useDone } from "../users/use-users.ts";
import { CreateToken } from "./create-token.tsx";

export type TokenTask =
  | { readonly kind: "create"; readonly of: ApiTokenKind }
  | { readonly kind: "revoke"; readonly token: ApiTokenView };

/** The dialogs for API tokens. */
export function TokenDialogs({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, because its text depends on it. */
  readonly task: TokenTask | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  if (task === undefined) return null;
  return (
    <FormDialog title={titleOf(task)} isOpen={isOpen} onClose={onClose}>
      {task.kind === "create" ? (
        <CreateToken kind={task.of} onClose={onClose} />
      ) : (
        <RevokeToken token={task.token} onClose={onClose} />
      )}
    </FormDialog>
  );
}

function titleOf(task: TokenTask): string {
  if (task.kind === "revoke") return t`Revoke ${task.token.name}`;
  return task.of === "personal" ? t`Create an API token` : t`Create a service token`;
}

function RevokeToken({
  token,
  onClose,
}: {
  readonly token: ApiTokenView;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const done = useDone(onClose);
  const revoke = useMutation(api.tokens.revoke.mutationOptions({ onSuccess: done }));
  const { id, name, owner } = token;
  return (
    <AskingForm
      button={t`Revoke token`}
      appearance="danger"
      state={revoke}
      onCancel={onClose}
      onSubmit={({ text }) => revoke.mutate({ id, why: text("why") })}
    >
      <p>
        {owner === undefined
          ? t`Programs that use the token ${name} are refused from their next request on. This
            cannot be undone.`
          : t`Programs that use the token ${name} of ${owner.name} are refused from their next
            request on. This cannot be undone.`}
      </p>
      <WhyField />
    </AskingForm>
  );
}
