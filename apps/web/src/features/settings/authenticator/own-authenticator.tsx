"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { AuthenticatorView, UserView } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Pending } from "../../../components/page/panel-states.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { expectPart, useFetched } from "../../../components/use-fetched.ts";
import { SettingsPanel } from "../settings-panel.tsx";

async function loadDialog() {
  return (await import("./authenticator-dialog.tsx")).AuthenticatorDialog;
}

/** The user's own authenticator app; for users of the identity provider, that provider asks for a second factor. */
export function OwnAuthenticator() {
  const api = useApi();
  const me = useQuery(api.people.me.queryOptions());
  const [task, setTask] = useState<"add" | "remove" | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  const Dialog = useFetched(loadDialog, task);
  if (me.data?.isExternal === true) return null;
  const begin = (next: "add" | "remove") => () => {
    setTask(next);
    setOpen(true);
  };
  return (
    <SettingsPanel
      title={t`Authenticator app`}
      aside={me.data === undefined ? null : <Begin me={me.data} begin={begin} />}
    >
      {me.data === undefined ? <Pending query={me} lines={1} /> : <State me={me.data} />}
      {Dialog === undefined || task === undefined ? null : (
        <Dialog task={task} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </SettingsPanel>
  );
}

function Begin({
  me: { authenticator, hasPassword },
  begin,
}: {
  readonly me: UserView;
  readonly begin: (task: "add" | "remove") => () => void;
}) {
  const ahead = { onPointerEnter: () => expectPart(loadDialog) };
  if (authenticator !== undefined) {
    return (
      <Button onClick={begin("remove")} {...ahead}>
        {t`Remove…`}
      </Button>
    );
  }
  return (
    <Button disabled={!hasPassword} onClick={begin("add")} {...ahead}>
      {t`Add an authenticator app…`}
    </Button>
  );
}

function State({ me: { authenticator, hasPassword } }: { readonly me: UserView }) {
  if (authenticator !== undefined) return <Present authenticator={authenticator} />;
  return (
    <p className="second">
      {hasPassword
        ? t`An app on your phone shows a code that is asked for after your password. Without one, the password alone signs in.`
        : t`Only signing in with a password asks for a code from an app, and you have no password: choose one first.`}
    </p>
  );
}

/** With this few left, the user should get new ones. */
const FEW = 2;

function Present({
  authenticator: { since, recoveryCodes },
}: {
  readonly authenticator: AuthenticatorView;
}) {
  return (
    <>
      <p>
        {mixed`Added ${<TimeText at={since} />}. After your password, signing in asks for a code
          from the app.`}
      </p>
      <p className="quiet small light">
        {leftOf(recoveryCodes)}{" "}
        {recoveryCodes > FEW ? "" : t`Remove the app and add it again to get ten new ones.`}
      </p>
    </>
  );
}

function leftOf(count: number): string {
  if (count === 0) return t`No recovery code is left.`;
  return count === 1 ? t`1 recovery code is left.` : t`${count} recovery codes are left.`;
}
