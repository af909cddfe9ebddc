"use client";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { COMMENT_MOST, type CommentTarget } from "@cloudwright/store/views/comments";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useApi } from "../../components/api.ts";
import { ChangeFailed } from "../../components/form/form.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useReread } from "../../components/use-reread.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { useViewer } from "../viewer/viewer-context.tsx";
import styles from "./comments.module.css";

/** This close to the limit, the form says how many characters are left. */
const NEAR = 200;

/** A form whose text stays in the field until the server has accepted it. */
export function CommentForm({ about }: { readonly about: CommentTarget }) {
  const api = useApi();
  const cluster = useClusterId();
  const id = useId();
  const [text, setText] = useState("");
  const changed = useReread("comments");
  const onSuccess = () => {
    changed();
    setText("");
  };
  const add = useMutation(api.comments.add.mutationOptions({ onSuccess }));
  const whyNot = useWhyNot(about);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending || whyNot !== undefined || text.trim() === "") return;
    add.mutate({ cluster, about, text });
  };
  const left = COMMENT_MOST - text.length;
  return (
    <form className={`grid gap-2 ${styles.form}`} onSubmit={submit}>
      <label htmlFor={id} className="bold">
        {mixed`Comment ${<span className="quiet small light">{t`plain text, for everybody who may see this cluster`}</span>}`}
      </label>
      <textarea
        id={id}
        className={`wide narrows pad-2-3 on-surface ${styles.field}`}
        rows={3}
        maxLength={COMMENT_MOST}
        value={text}
        disabled={whyNot !== undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <ChangeFailed error={add.error} />
      <div className="row">
        <GatedButton
          type="submit"
          appearance="primary"
          whyNot={whyNot}
          aria-disabled={add.isPending || text.trim() === ""}
        >
          {add.isPending ? t`Saving…` : t`Add comment`}
        </GatedButton>
        <span className="quiet small" role="status">
          {left <= NEAR ? t`${left} characters left` : ""}
        </span>
      </div>
    </form>
  );
}

function useWhyNot({ kind }: CommentTarget): string | undefined {
  const { role } = useViewer();
  if (roleIncludes(role, "operator")) return undefined;
  return kind === "run"
    ? t`Needs role operator to comment on a run. You are ${role}.`
    : t`Needs role operator to comment on an action. You are ${role}.`;
}
