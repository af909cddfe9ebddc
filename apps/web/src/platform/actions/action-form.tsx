"use client";
import { type FormEvent, useRef } from "react";
import type { ActionChoice } from "./action-choice.ts";
import styles from "./action-dialog.module.css";
import { ACTION_KINDS, buttonText } from "./action-kinds.ts";
import { typedText, typedWhat } from "./confirmation-request.ts";
import { EndField, ReasonField, TypedField } from "./dialog-fields.tsx";
import { FormButtons } from "./form-buttons.tsx";
import { FormProgress } from "./form-progress.tsx";
import { HeldNodes } from "./held-nodes.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { useActionForm } from "./use-action-form.ts";

/** One form for all actions: what would happen, until when, why, and the way to do it. */
export function ActionForm({ choice }: { readonly choice: ActionChoice }) {
  const { cluster, kind, nodes } = choice;
  const { isDestructive } = ACTION_KINDS[kind];
  const form = useActionForm(choice);
  const element = useRef<HTMLFormElement>(null);
  const confirm = () => {
    if (form.whyNot !== undefined) return;
    const [wrong] = Object.keys(form.confirm());
    // An error is read out when its field gets the focus.
    element.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDestructive) confirm();
  };
  return (
    <form ref={element} onSubmit={submit} className={styles.form} noValidate>
      {nodes === undefined ? null : <HeldNodes nodes={nodes} />}
      <PreviewPanel
        cluster={cluster}
        wish={form.wish}
        preview={form.preview}
        moved={form.moved === undefined ? undefined : { from: form.confirmed, to: form.moved }}
      />
      <EndField kind={kind} end={form.end} onChoose={form.chooseEnd} />
      <ReasonField
        value={form.fields.why}
        problem={form.problems.why}
        isFirst={!isDestructive}
        onChange={(why) => form.change({ why })}
      />
      <TypedField
        what={typedWhat(choice)}
        wanted={typedText(choice)}
        value={form.fields.typed}
        problem={form.problems.typed}
        onChange={(typed) => form.change({ typed })}
      />
      <FormProgress confirmation={form.confirmation} />
      <FormButtons
        text={buttonText(choice)}
        isDestructive={isDestructive}
        isAsked={form.confirmation.state.kind === "waiting"}
        whyNot={form.whyNot}
        onConfirm={confirm}
      />
    </form>
  );
}
