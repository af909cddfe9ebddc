"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { AskingForm, Field } from "../../../components/form/form.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import { SettingsPanel } from "../settings-panel.tsx";
import { useAskAgain } from "./use-users.ts";

const LEAST = 12;

/** The user's own password, unless the identity provider manages it. */
export function OwnPassword() {
  const api = useApi();
  const me = useQuery(api.people.me.queryOptions());
  if (me.data?.isExternal === true) {
    return (
      <SettingsPanel title={t`Your password`}>
        <p>
          {me.data.clustersByGroups
            ? t`You sign in through the identity provider, which keeps your password. Your role
              follows your groups there, and so do your clusters.`
            : t`You sign in through the identity provider, which keeps your password. Your role
              follows your groups there.`}
        </p>
      </SettingsPanel>
    );
  }
  return <PasswordForm />;
}

/** Changing it requires the current one. */
function PasswordForm() {
  const { id, email } = useViewer();
  const api = useApi();
  const askAgain = useAskAgain();
  const [differs, setDiffers] = useState(false);
  const set = useMutation(api.people.setPassword.mutationOptions({ onSuccess: askAgain }));
  return (
    <SettingsPanel title={t`Your password`}>
      <AskingForm
        button={t`Change password`}
        state={set}
        onSubmit={({ secret, clear }) => {
          const [password, again] = [secret("password"), secret("again")];
          setDiffers(password !== again);
          // Clears the result of the previous attempt.
          set.reset();
          if (password !== again) return;
          const current = secret("current");
          set.mutate(
            { id, password, ...(current === "" ? {} : { current }) },
            { onSuccess: clear },
          );
        }}
      >
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <Field
          label={t`Current password`}
          note={t`empty if you have none`}
          name="current"
          type="password"
          autoComplete="current-password"
          maxLength={200}
        />
        <Field
          label={t`New password`}
          note={t`at least ${LEAST} characters`}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={LEAST}
          maxLength={200}
          required
        />
        <Field
          label={t`New password again`}
          name="again"
          type="password"
          autoComplete="new-password"
          maxLength={200}
          required
          aria-invalid={differs}
          aria-describedby={differs ? "password-differs" : undefined}
        />
        {differs ? (
          <p id="password-differs" role="alert" className="failure">
            {t`The two new passwords differ: type both again.`}
          </p>
        ) : null}
        <p role="status" className="quiet small light">
          {set.isSuccess ? t`Your password was changed, and your other sessions have ended.` : ""}
        </p>
      </AskingForm>
    </SettingsPanel>
  );
}
