"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Comment, CommentTarget } from "@cloudwright/store/views/comments";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { AskingForm } from "../../components/form/form.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Pending } from "../../components/page/panel-states.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useReread } from "../../components/use-reread.ts";
import { CommentForm } from "./comment-form.tsx";
import styles from "./comments.module.css";
import { useComments } from "./use-comments.ts";

export function CommentsList({ about }: { readonly about: CommentTarget }) {
  const comments = useComments(about);
  if (comments.data === undefined) {
    return (
      <div className="pad-4">
        <Pending query={comments} lines={3} />
      </div>
    );
  }
  return (
    <div className="grid gap-4 pad-4">
      {comments.data.length === 0 ? (
        <p className="quiet flush">
          {about.kind === "run"
            ? t`No comments yet. What you know about this run helps whoever looks at it next.`
            : t`No comments yet. What you know about this action helps whoever looks at it next.`}
        </p>
      ) : (
        <ol className={`grid flush pad-0 ${styles.list}`} aria-label={t`Comments`}>
          {comments.data.map((comment) => (
            <CommentItem key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      <CommentForm about={about} />
    </div>
  );
}

function CommentItem({ comment }: { readonly comment: Comment }) {
  const { author, at, text, withdrawn, mayWithdraw } = comment;
  const [isAsked, setAsked] = useState(false);
  return (
    <li className={`grid gap-1 ${styles.comment}`}>
      <div className="row">
        <span>
          <strong className="break">{author}</strong>{" "}
          <span className="quiet small">
            <TimeText at={at} />
          </span>
        </span>
        {mayWithdraw && !isAsked ? (
          <Button
            appearance="quiet"
            className="push"
            aria-label={t`Withdraw the comment of ${author}`}
            onClick={() => setAsked(true)}
          >
            {t`Withdraw…`}
          </Button>
        ) : null}
      </div>
      {withdrawn === undefined ? (
        <p className={`break flush ${styles.text}`}>{text}</p>
      ) : (
        <p className="quiet flush">
          {mixed`Withdrawn by ${withdrawn.by} ${<TimeText at={withdrawn.at} />}`}
        </p>
      )}
      {isAsked && withdrawn === undefined ? (
        <WithdrawForm comment={comment} onEnd={() => setAsked(false)} />
      ) : null}
    </li>
  );
}

function WithdrawForm({
  comment: { id },
  onEnd,
}: {
  readonly comment: Comment;
  readonly onEnd: () => void;
}) {
  const api = useApi();
  const cluster = useClusterId();
  const changed = useReread("comments");
  const withdraw = useMutation(api.comments.withdraw.mutationOptions({ onSuccess: changed }));
  return (
    <AskingForm
      button={t`Withdraw comment`}
      appearance="danger"
      state={withdraw}
      onCancel={onEnd}
      onSubmit={() => withdraw.mutate({ cluster, id })}
    >
      <p className="flush small">
        {t`Its text is deleted and cannot be brought back. The record that there was a comment
          stays, with your name.`}
      </p>
    </AskingForm>
  );
}
