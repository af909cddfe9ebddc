"use client";
import { t } from "@cloudwright/core/model/language/text";
import { roleSchema } from "@cloudwright/core/model/roles";
import type { UserView } from "@cloudwright/store/views/views";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod/mini";
import { useApiClient } from "../../../components/api.ts";
import { AskingForm, FormDialog, WhyField } from "../../../components/form/form.tsx";
import { OneTimeLink } from "../one-time-link.tsx";
import { RoleField } from "./add-user-dialog.tsx";
import { ClustersForm } from "./clusters-form.tsx";
import type { FormProps } from "./form-props.ts";
import { useAskAgain } from "./use-users.ts";

export interface UserTask {
  readonly kind:
    | "role"
    | "clusters"
    | "password"
    | "authenticator"
    | "sessions"
    | "disable"
    | "enable";
  readonly user: UserView;
  /** The button whose menu opened the dialog. */
  readonly opener: HTMLElement | undefined;
}

/** The dialogs for an admin's changes to a user. */
export function UserDialog({
  task,
  isOpen,
  onClose,
}: {
  /** Kept while the dialog fades out, because its text depends on it. */
  readonly task: UserTask | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  if (task === undefined) return null;
  const { kind, user, opener } = task;
  const { title } = kind === "clusters" ? CLUSTERS : CHANGES[kind];
  return (
    <FormDialog title={title(user.name)} {...{ isOpen, opener, onClose }}>
      {kind === "clusters" ? (
        <ClustersForm user={user} onClose={onClose} />
      ) : (
        <ChangeForm kind={kind} user={user} onClose={onClose} />
      )}
    </FormDialog>
  );
}

interface ChangeOf {
  readonly title: (name: string) => string;
  readonly button: string;
  readonly appearance?: "danger";
  /** Describes the consequences. */
  readonly effect: (user: UserView) => string;
  readonly needsReason?: boolean;
}

const CLUSTERS = { title: (name: string) => t`Change the clusters of ${name}` };

type Change = Exclude<UserTask["kind"], "clusters">;

const CHANGES: Readonly<Record<Change, ChangeOf>> = {
  role: {
    title: (name) => t`Change the role of ${name}`,
    get button() {
      return t`Change role`;
    },
    effect: ({ name, role }) =>
      t`${name} is ${role}. The change takes effect with their next request.`,
  },
  password: {
    title: (name) => t`Reset the password of ${name}`,
    get button() {
      return t`Reset password`;
    },
    appearance: "danger",
    effect: ({ hasPassword }) =>
      hasPassword
        ? t`Their password stops working, and all their sessions end. You get a link that signs them in once; with it they can choose a new password.`
        : t`All their sessions end. You get a link that signs them in once; with it they can choose a new password.`,
  },
  authenticator: {
    title: (name) => t`Remove the authenticator app of ${name}`,
    get button() {
      return t`Remove app`;
    },
    appearance: "danger",
    effect: ({ name }) =>
      t`${name} signs in with the password alone until they add an app again, and their recovery codes stop working. Make sure that ${name} really asked for this.`,
    needsReason: true,
  },
  sessions: {
    title: (name) => t`End all sessions of ${name}`,
    get button() {
      return t`End sessions`;
    },
    appearance: "danger",
    effect: ({ name, sessions }) =>
      sessions === 1
        ? t`The only session of ${name} ends at once, unless it is the one that you are using. They can sign in again.`
        : t`All ${sessions} sessions of ${name} end at once, except the one that you are using. They can sign in again.`,
  },
  disable: {
    title: (name) => t`Disable ${name}`,
    get button() {
      return t`Disable user`;
    },
    appearance: "danger",
    effect: ({ name }) =>
      t`${name} can no longer sign in, and their sessions end at once, as do their API tokens. What they did stays on record. Actions that they requested continue.`,
    needsReason: true,
  },
  enable: {
    title: (name) => t`Enable ${name} again`,
    get button() {
      return t`Enable user`;
    },
    effect: ({ name, role, hasPassword }) =>
      hasPassword
        ? t`${name} may sign in again as ${role}, with their previous password.`
        : t`${name} may sign in again as ${role}.`,
  },
};

/** One form for every change to a user, built from the change's definition. */
function ChangeForm({ kind, user, onClose }: FormProps & { readonly kind: Change }) {
  const { button, appearance, effect, needsReason } = CHANGES[kind];
  const { send, state, link } = useChange(kind, { user, onClose });
  if (link !== undefined) return <OneTimeLink name={user.name} link={link} onClose={onClose} />;
  return (
    <AskingForm
      button={button}
      {...(appearance === undefined ? {} : { appearance })}
      state={state}
      onCancel={onClose}
      onSubmit={({ text }) => send({ why: text("why"), role: text("role") })}
    >
      <p className={kind === "role" ? "quiet small light" : undefined}>{effect(user)}</p>
      {kind === "role" ? <RoleField usual={user.role} /> : null}
      <WhyField required={needsReason ?? false} />
    </AskingForm>
  );
}

/** Sends the change; the dialog closes once it is made, unless there is a link to pass on. */
function useChange(kind: Change, { user, onClose }: FormProps) {
  const { people: users, sessions } = useApiClient();
  const askAgain = useAskAgain();
  const { id } = user;
  const change = useMutation({
    mutationFn: async ({ why, role }: Record<"why" | "role", string | undefined>) => {
      switch (kind) {
        case "role": {
          const chosen = z.catch(roleSchema, user.role).parse(role);
          return void (await users.changeRole.mutate({ id, role: chosen, why }));
        }
        case "password":
          return (await users.setPassword.mutate({ id, why })).signInLink;
        case "authenticator":
          return void (await users.removeAuthenticator.mutate({ id, why }));
        case "sessions":
          return void (await sessions.revokeAll.mutate({ userId: id, why }));
        case "disable":
        case "enable":
          return void (await users[kind].mutate({ id, why }));
      }
    },
    onSuccess: (link) => {
      askAgain();
      if (link === undefined) onClose();
    },
  });
  return { send: change.mutate, state: change, link: change.data };
}
