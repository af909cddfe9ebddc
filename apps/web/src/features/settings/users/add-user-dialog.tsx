"use client";
import { t } from "@cloudwright/core/model/language/text";
import { ROLES, type Role, roleSchema } from "@cloudwright/core/model/roles";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { z } from "zod/mini";
import { useApi } from "../../../components/api.ts";
import { AskingForm, Field, FormDialog, WhyField } from "../../../components/form/form.tsx";
import { listed } from "../../../platform/wording/action-title.ts";
import { OneTimeLink } from "../one-time-link.tsx";
import styles from "../settings.module.css";
import { RIGHTS } from "./roles-matrix.tsx";
import { useAskAgain } from "./use-users.ts";

export function AddUserDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  return (
    <FormDialog title={t`Add a user`} isOpen={isOpen} onClose={onClose}>
      <AddUser onClose={onClose} />
    </FormDialog>
  );
}

function AddUser({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const askAgain = useAskAgain();
  const create = useMutation(api.people.create.mutationOptions({ onSuccess: askAgain }));
  const link = create.data?.signInLink;
  if (create.data !== undefined && link !== undefined) {
    return <OneTimeLink name={create.data.person.name} link={link} onClose={onClose} />;
  }
  return (
    <AskingForm
      button={t`Add user`}
      state={create}
      onCancel={onClose}
      onSubmit={({ text }) =>
        create.mutate({
          name: text("name") ?? "",
          email: text("email") ?? "",
          role: z.catch(roleSchema, "viewer").parse(text("role")),
          why: text("why"),
        })
      }
    >
      <p className="quiet small light">
        {t`They get a link that signs them in once. You pass it on; it is shown only here.`}
      </p>
      <Field
        label={t`Name`}
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Field
        label={t`E-mail address`}
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
      />
      <RoleField usual="viewer" />
      <WhyField />
    </AskingForm>
  );
}

export function RoleField({ usual }: { readonly usual: Role }) {
  const id = useId();
  return (
    <div className={`grid gap-1 ${styles.field}`}>
      <label htmlFor={id}>{t`Role`}</label>
      <select
        id={id}
        name="role"
        className={`narrows pad-0-3 on-surface ${styles.input}`}
        defaultValue={usual}
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      <span className="quiet small light">
        {t`Operators also ${rightsOf("operator")}. Admins can do everything.`}
      </span>
    </div>
  );
}

function rightsOf(role: Role): string {
  return listed(RIGHTS.filter(({ needs }) => needs === role).map(({ what }) => lowerFirst(what)));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
