"use client";
import { roleSchema } from "@cloudwright/core/model/roles";
import type { UserView } from "@cloudwright/store/views/views";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { RoleField } from "./add-user-dialog.tsx";
import { ClustersForm } from "./clusters-form.tsx";
import { type FormProps, SettingsDialog, SettingsForm, WhyField } from "./form-parts.tsx";
import { OneTimeLink } from "./one-time-link.tsx";
import { useAskAgain, useDone } from "./use-users.ts";

export interface UserTask {
  readonly kind: "role" | "clusters" | "password" | "sessions" | "disable" | "enable";
  readonly person: UserView;
  /** The button whose menu led to it. */
  readonly opener: HTMLElement | undefined;
}

const TITLES: Readonly<Record<UserTask["kind"], (name: string) => string>> = {
  role: (name) => `Change the role of ${name}`,
  clusters: (name) => `Change the clusters of ${name}`,
  password: (name) => `Reset the password of ${name}`,
  sessions: (name) => `End all sessions of ${name}`,
  disable: (name) => `Disable ${name}`,
  enable: (name) => `Enable ${name} again`,
};

/** What an admin changes about one person. */
export function UserDialog({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, which still says what it was about. */
  readonly task: UserTask | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  if (task === undefined) return null;
  const { kind, person: user, opener } = task;
  const Form = FORMS[kind];
  return (
    <SettingsDialog title={TITLES[kind](user.name)} {...{ isOpen, opener, onClose }}>
      <Form person={user} onClose={onClose} />
    </SettingsDialog>
  );
}

const FORMS: Readonly<Record<UserTask["kind"], (props: FormProps) => React.ReactNode>> = {
  role: RoleForm,
  clusters: ClustersForm,
  password: PasswordForm,
  sessions: SessionsForm,
  disable: DisableForm,
  enable: EnableForm,
};

function RoleForm({ person: user, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const change = useMutation(api.people.changeRole.mutationOptions({ onSuccess: done }));
  return (
    <SettingsForm
      button="Change role"
      state={change}
      onCancel={onClose}
      onSubmit={({ text }) =>
        change.mutate({
          id: user.id,
          role: roleSchema.catch(user.role).parse(text("role")),
          why: text("why"),
        })
      }
    >
      <p className="quiet small light">
        {user.name} is {user.role}. The change takes effect with their next request.
      </p>
      <RoleField usual={user.role} />
      <WhyField />
    </SettingsForm>
  );
}

function PasswordForm({ person: user, onClose }: FormProps) {
  const api = useApi();
  const askAgain = useAskAgain();
  const reset = useMutation(api.people.setPassword.mutationOptions({ onSuccess: askAgain }));
  const link = reset.data?.signInLink;
  if (link !== undefined) return <OneTimeLink name={user.name} link={link} onClose={onClose} />;
  return (
    <SettingsForm
      button="Reset password"
      appearance="danger"
      state={reset}
      onCancel={onClose}
      onSubmit={({ text }) => reset.mutate({ id: user.id, why: text("why") })}
    >
      <p>
        {user.hasPassword ? "Their password stops working, and all" : "All"} their sessions end. You
        get a link that signs them in once; with it they can choose a new password.
      </p>
      <WhyField />
    </SettingsForm>
  );
}

function SessionsForm({ person: user, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const end = useMutation(api.sessions.revokeAll.mutationOptions({ onSuccess: done }));
  const count = user.sessions === 1 ? "The one session" : `All ${user.sessions} sessions`;
  return (
    <SettingsForm
      button="End sessions"
      appearance="danger"
      state={end}
      onCancel={onClose}
      onSubmit={({ text }) => end.mutate({ userId: user.id, why: text("why") })}
    >
      <p>
        {count} of {user.name} {user.sessions === 1 ? "ends" : "end"} at once, except the one that
        you are using. They can sign in again.
      </p>
      <WhyField />
    </SettingsForm>
  );
}

function DisableForm({ person: user, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const disable = useMutation(api.people.disable.mutationOptions({ onSuccess: done }));
  return (
    <SettingsForm
      button="Disable user"
      appearance="danger"
      state={disable}
      onCancel={onClose}
      onSubmit={({ text }) => disable.mutate({ id: user.id, why: text("why") })}
    >
      <p>
        {user.name} can no longer sign in, and their sessions end at once. What they did stays on
        record. Actions that they requested continue.
      </p>
      <WhyField required />
    </SettingsForm>
  );
}

function EnableForm({ person: user, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const enable = useMutation(api.people.enable.mutationOptions({ onSuccess: done }));
  return (
    <SettingsForm
      button="Enable user"
      state={enable}
      onCancel={onClose}
      onSubmit={({ text }) => enable.mutate({ id: user.id, why: text("why") })}
    >
      <p>
        {user.name} may sign in again as {user.role}
        {user.hasPassword ? ", with the password that they had" : ""}.
      </p>
      <WhyField />
    </SettingsForm>
  );
}
