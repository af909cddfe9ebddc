"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type FormEvent, type InputHTMLAttributes, type ReactNode, useId } from "react";
import { Button } from "../button/button.tsx";
import { changeProblem } from "../problem.ts";
import { useFetched } from "../use-fetched.ts";
import styles from "./form.module.css";
import type { FormModalProps } from "./form-modal.tsx";

const loadModal = () => import("./form-modal.tsx").then(({ FormModal }) => FormModal);

/** A dialog that asks for something; its code is fetched when the first one opens. */
export function FormDialog(props: FormModalProps) {
  const Modal = useFetched(loadModal, props.isOpen || undefined);
  return Modal === undefined ? null : <Modal {...props} />;
}

/** Explains why a requested change failed; renders nothing without an error. */
export function ChangeFailed({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  return (
    <p role="alert" className="failure">
      {changeProblem(error)}
    </p>
  );
}

export function Field({
  label,
  note,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly note?: ReactNode;
}) {
  const id = useId();
  return (
    <div className={`grid gap-1 ${styles.field}`}>
      <label htmlFor={id}>
        {label} {note === undefined ? null : <span className="quiet small light">{note}</span>}
      </label>
      <input id={id} className={`narrows pad-0-3 on-surface ${styles.input}`} {...input} />
    </div>
  );
}

/** The field for the reason, which is recorded with the change. */
export function WhyField({ required = false }: { readonly required?: boolean }) {
  return (
    <Field
      label={t`Reason`}
      note={t`kept in the audit record`}
      name="why"
      maxLength={500}
      required={required}
      autoComplete="off"
    />
  );
}

/** A form that asks the server for a change and shows the server's error in place. */
export function AskingForm({
  button,
  appearance = "primary",
  state,
  onCancel,
  onSubmit,
  children,
}: {
  readonly button: string;
  readonly appearance?: "primary" | "danger";
  readonly state: { readonly isPending: boolean; readonly error: unknown };
  readonly onCancel?: () => void;
  readonly onSubmit: (fields: FormFields) => void;
  readonly children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!state.isPending && isFilled(event.currentTarget)) onSubmit(fieldsOf(event.currentTarget));
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      <ChangeFailed error={state.error} />
      <div className="buttons at-end">
        {onCancel === undefined ? null : <Button onClick={onCancel}>{t`Cancel`}</Button>}
        <Button appearance={appearance} type="submit" aria-disabled={state.isPending}>
          {state.isPending ? t`Saving…` : button}
        </Button>
      </div>
    </form>
  );
}

/** Empties required fields of spaces alone, so that the browser reports them like empty ones; passwords may consist of anything. */
function isFilled(form: HTMLFormElement): boolean {
  for (const field of form.querySelectorAll<HTMLInputElement>("input[required]"))
    if (field.type !== "password" && field.value.trim() === "") field.value = "";
  return form.reportValidity();
}

export interface FormFields {
  /** The field's trimmed text; undefined if it is empty. */
  text(name: string): string | undefined;
  /** The text exactly as it was typed. */
  secret(name: string): string;
  /** The values of the ticked boxes with this name. */
  ticked(name: string): readonly string[];
  clear(): void;
}

function fieldsOf(form: HTMLFormElement): FormFields {
  const data = new FormData(form);
  const raw = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    secret: raw,
    clear: () => form.reset(),
    ticked: (name) => data.getAll(name).filter((value) => typeof value === "string"),
    text: (name) => (raw(name).trim() === "" ? undefined : raw(name).trim()),
  };
}
