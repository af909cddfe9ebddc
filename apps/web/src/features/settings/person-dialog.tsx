"use client";
import { roleSchema } from "@cloudwright/core/model/roles";
import type { PersonView } from "@cloudwright/store/views/views";
import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { RoleField } from "./add-person-dialog.tsx";
import { ClustersForm } from "./clusters-form.tsx";
import { type FormProps, SettingsDialog, SettingsForm, WhyField } from "./form-parts.tsx";
import { OneTimeLink } from "./one-time-link.tsx";
import { useAskAgain, useDone } from "./use-people.ts";

export interface PersonTask {
  readonly kind: "role" | "clusters" | "password" | "sessions" | "disable" | "enable";
  readonly person: PersonView;
}

const TITLES: Readonly<Record<PersonTask["kind"], (name: string) => string>> = {
  role: (name) => `Change the role of ${name}`,
  clusters: (name) => `Change the clusters of ${name}`,
  password: (name) => `Reset the password of ${name}`,
  sessions: (name) => `End all sessions of ${name}`,
  disable: (name) => `Disable ${name}`,
  enable: (name) => `Enable ${name} again`,
};

/** What an admin changes about one person. */
export function PersonDialog({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, which still says what it was about. */
  readonly task: PersonTask | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  if (task === undefined) return null;
  const { kind, person } = task;
  const Form = FORMS[kind];
  return (
    <SettingsDialog title={TITLES[kind](person.name)} isOpen={isOpen} onClose={onClose}>
      <Form person={person} onClose={onClose} />
    </SettingsDialog>
  );
}

const FORMS: Readonly<Record<PersonTask["kind"], (props: FormProps) => React.ReactNode>> = {
  role: RoleForm,
  clusters: ClustersForm,
  password: PasswordForm,
  sessions: SessionsForm,
  disable: DisableForm,
  enable: EnableForm,
};

function RoleForm({ person, onClose }: FormProps) {
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
          id: person.id,
          role: roleSchema.catch(person.role).parse(text("role")),
          why: text("why"),
        })
      }
    >
      <p className="quiet small light">
        {person.name} is {person.role}. It holds from their next request on.
      </p>
      <RoleField usual={person.role} />
      <WhyField />
    </SettingsForm>
  );
}

function PasswordForm({ person, onClose }: FormProps) {
  const api = useApi();
  const askAgain = useAskAgain();
  const reset = useMutation(api.people.setPassword.mutationOptions({ onSuccess: askAgain }));
  const link = reset.data?.signInLink;
  if (link !== undefined) return <OneTimeLink name={person.name} link={link} onClose={onClose} />;
  return (
    <SettingsForm
      button="Reset password"
      look="danger"
      state={reset}
      onCancel={onClose}
      onSubmit={({ text }) => reset.mutate({ id: person.id, why: text("why") })}
    >
      <p>
        {person.hasPassword ? "Their password stops working, and all" : "All"} their sessions end.
        You get a link that signs them in once; with it they can choose a new password.
      </p>
      <WhyField />
    </SettingsForm>
  );
}

function SessionsForm({ person, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const end = useMutation(api.sessions.revokeAll.mutationOptions({ onSuccess: done }));
  const count = person.sessions === 1 ? "The one session" : `All ${person.sessions} sessions`;
  return (
    <SettingsForm
      button="End sessions"
      look="danger"
      state={end}
      onCancel={onClose}
      onSubmit={({ text }) => end.mutate({ userId: person.id, why: text("why") })}
    >
      <p>
        {count} of {person.name} {person.sessions === 1 ? "ends" : "end"} at once, but for the one
        that you are using. They can sign in again.
      </p>
      <WhyField />
    </SettingsForm>
  );
}

function DisableForm({ person, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const disable = useMutation(api.people.disable.mutationOptions({ onSuccess: done }));
  return (
    <SettingsForm
      button="Disable person"
      look="danger"
      state={disable}
      onCancel={onClose}
      onSubmit={({ text }) => disable.mutate({ id: person.id, why: text("why") })}
    >
      <p>
        {person.name} cannot sign in any more, and their sessions end at once. What they did stays
        on the record. Actions that they asked for go on.
      </p>
      <WhyField required />
    </SettingsForm>
  );
}

function EnableForm({ person, onClose }: FormProps) {
  const api = useApi();
  const done = useDone(onClose);
  const enable = useMutation(api.people.enable.mutationOptions({ onSuccess: done }));
  return (
    <SettingsForm
      button="Enable person"
      state={enable}
      onCancel={onClose}
      onSubmit={({ text }) => enable.mutate({ id: person.id, why: text("why") })}
    >
      <p>
        {person.name} may sign in again as {person.role}
        {person.hasPassword ? ", with the password that they had" : ""}.
      </p>
      <WhyField />
    </SettingsForm>
  );
}
