"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { UserView } from "@cloudwright/store/views/views";
import { useMemo } from "react";
import { Button, Caret } from "../../../components/button/button.tsx";
import { LazyMenu } from "../../../components/menu/lazy-menu.tsx";
import type { Presentation } from "../../../components/presentation/states.ts";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import styles from "../settings.module.css";
import type { UserChanges } from "./user-change-items.tsx";
import type { UserTask } from "./user-dialog.tsx";

export function UsersTable({
  users,
  onTask,
}: {
  readonly users: readonly UserView[];
  readonly onTask: (task: UserTask) => void;
}) {
  const { id } = useViewer();
  const columns = useMemo(() => usersColumns(id, onTask), [id, onTask]);
  return (
    <div className={`flex column narrows clip ${styles.table}`}>
      <DataTable
        label={t`Users`}
        columns={columns}
        rows={users}
        total={users.length}
        rowKey={(user) => user.id}
      />
    </div>
  );
}

function usersColumns(own: string, onTask: (task: UserTask) => void): readonly Column<UserView>[] {
  return [
    column(["name", t`Name`, 160, { pinned: true, narrow: "line" }], ({ id, name }) => (
      <>
        <strong>{name}</strong>
        {id === own ? <span className="quiet small light"> {t`you`}</span> : null}
      </>
    )),
    textColumn(
      ["email", t`E-mail address`, 200, { grows: true, narrow: "line" }],
      ({ email }) => email,
    ),
    textColumn(["role", t`Role`, 92, { narrow: "first" }], ({ role }) => role),
    column(["clusters", t`Clusters`, 92], ({ clusters }) =>
      clusters === "all" ? t`all` : String(clusters.length),
    ),
    column(["state", t`State`, 112], (user) => (
      <span title={user.disabledWhy}>
        <RowStatus status={user.disabled ? DISABLED : ACTIVE} />
      </span>
    )),
    ...signInColumns(),
    column(["change", t`Change`, 132, { align: "end", narrow: "second" }], (user) => (
      <ChangeMenu user={user} isOwn={user.id === own} onTask={onTask} />
    )),
  ];
}

function signInColumns(): readonly Column<UserView>[] {
  return [
    column(["password", t`Signs in by`, 148], (user) => wayIn(user)),
    column(["seen", t`Last seen`, 116], ({ lastSeenAt }) =>
      lastSeenAt === undefined ? (
        <span className="quiet small light">{t`never`}</span>
      ) : (
        <TimeText at={lastSeenAt} />
      ),
    ),
    column(["sessions", t`Sessions`, 84, { align: "end" }], (row) => row.sessions),
  ];
}

function wayIn({ isExternal, hasPassword, authenticator }: UserView): string {
  if (isExternal) return t`identity provider`;
  if (!hasPassword) return t`link`;
  return authenticator === undefined ? t`password` : t`password and app`;
}

const ACTIVE: Presentation = {
  get label() {
    return t`Active`;
  },
  shape: "disc",
  tone: "ok",
  isUsual: true,
  get help() {
    return t`May sign in.`;
  },
};
const DISABLED: Presentation = {
  get label() {
    return t`Disabled`;
  },
  shape: "ring-dash",
  tone: "neutral",
  get help() {
    return t`Cannot sign in and has no session.`;
  },
};

const loadItems = () =>
  import("./user-change-items.tsx").then(({ UserChangeItems }) => UserChangeItems);

function ChangeMenu(menu: UserChanges) {
  const button = (
    <Button
      appearance="quiet"
      className={styles.rowButton}
      aria-label={t`Change ${menu.user.name}`}
    >
      {t`Change…`}
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={loadItems} menu={menu} />;
}
