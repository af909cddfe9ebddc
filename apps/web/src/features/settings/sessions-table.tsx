"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { SessionView } from "@cloudwright/store/views/views";
import { useMutation } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { ChangeFailed } from "../../components/form/form.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, timeColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { agentText } from "../../platform/wording/agent-text.ts";
import styles from "./settings.module.css";
import { useAskAgain } from "./users/use-users.ts";

/** Live sessions, each with the button that ends it. */
export function SessionsTable({
  label,
  sessions,
  withUser,
}: {
  readonly label: string;
  readonly sessions: readonly SessionView[];
  readonly withUser: boolean;
}) {
  const api = useApi();
  const askAgain = useAskAgain();
  const { mutate, isPending, error } = useMutation(
    api.sessions.revoke.mutationOptions({ onSettled: askAgain }),
  );
  const columns = useMemo(
    () => sessionColumns({ withUser, isBusy: isPending, onEnd: (id) => mutate({ id }) }),
    [withUser, isPending, mutate],
  );
  return (
    <>
      <ChangeFailed error={error} />
      <div className={`flex column narrows clip ${styles.table}`}>
        <DataTable
          label={label}
          columns={columns}
          rows={sessions}
          total={sessions.length}
          rowKey={({ id }) => id}
        />
      </div>
    </>
  );
}

interface ColumnsInput {
  readonly withUser: boolean;
  readonly isBusy: boolean;
  readonly onEnd: (id: string) => void;
}

function sessionColumns(input: ColumnsInput): readonly Column<SessionView>[] {
  return [
    ...(input.withUser ? [userColumn()] : []),
    column(
      ["where", t`Where`, 190, { grows: true, pinned: !input.withUser, narrow: "line" }],
      ({ agent, isThis }) => (
        <span title={agent}>
          {agentText(agent ?? "")}
          {isThis ? <span className={styles.this}>{t`this session`}</span> : null}
        </span>
      ),
    ),
    column(["address", t`Address`, 140, { narrow: "line" }], ({ address }) => address ?? "–"),
    timeColumn(["since", t`Signed in`, 116], ({ createdAt }) => createdAt),
    timeColumn(["seen", t`Last seen`, 116, { narrow: "first" }], ({ lastSeenAt }) => lastSeenAt),
    timeColumn(["until", t`Ends`, 116], ({ expiresAt }) => expiresAt),
    column(["end", t`End`, 84, { align: "end", narrow: "second" }], (session) => (
      <EndButton session={session} input={input} />
    )),
  ];
}

function userColumn(): Column<SessionView> {
  return column(["person", t`User`, 150, { pinned: true, narrow: "line" }], ({ person: user }) => (
    <strong title={user.email}>{user.name}</strong>
  ));
}

/** The current session is ended by signing out. */
function EndButton({
  session,
  input,
}: {
  readonly session: SessionView;
  readonly input: ColumnsInput;
}) {
  if (session.isThis) return null;
  const where = `${agentText(session.agent ?? "")}, ${session.address ?? t`unknown address`}`;
  return (
    <Button
      appearance="quiet"
      className={styles.rowButton}
      aria-label={t`End session of ${session.person.name}, ${where}`}
      disabled={input.isBusy}
      onClick={() => input.onEnd(session.id)}
    >
      {t`End`}
    </Button>
  );
}
