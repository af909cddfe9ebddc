"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { useMemo } from "react";
import { Button } from "../../../components/button/button.tsx";
import type { Presentation } from "../../../components/presentation/states.ts";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import styles from "../settings.module.css";
import type { TokenTask } from "./token-dialogs.tsx";

export function TokensTable({
  label,
  tokens,
  withOwner,
  onTask,
}: {
  readonly label: string;
  readonly tokens: readonly ApiTokenView[];
  readonly withOwner: boolean;
  readonly onTask: (task: TokenTask) => void;
}) {
  const columns = useMemo(() => tokenColumns(withOwner, onTask), [withOwner, onTask]);
  return (
    <div className={`flex column narrows clip ${styles.table}`}>
      <DataTable
        label={label}
        columns={columns}
        rows={tokens}
        total={tokens.length}
        rowKey={({ id }) => id}
      />
    </div>
  );
}

function tokenColumns(
  withOwner: boolean,
  onTask: (task: TokenTask) => void,
): readonly Column<ApiTokenView>[] {
  return [
    column(["name", t`Name`, 170, { grows: true, pinned: true, narrow: "line" }], (token) => (
      <strong title={t`Made by ${token.createdBy}`}>{token.name}</strong>
    )),
    ...(withOwner ? [ownerColumn()] : []),
    textColumn(["role", t`Role`, 84, { narrow: "first" }], ({ role }) => role),
    column(["clusters", t`Clusters`, 84], ({ clusters }) =>
      clusters === "all" ? t`all` : String(clusters.length),
    ),
    column(["state", t`State`, 104], ({ state }) => <RowStatus status={STATES[state]} />),
    timeColumn(["expires", t`Expires`, 116, { narrow: "line" }], ({ expiresAt }) => expiresAt),
    column(["used", t`Last used`, 116], ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === undefined ? (
        <span className="quiet small light">{t`never`}</span>
      ) : (
        <span title={t`from ${lastUsedAddress ?? t`an unknown address`}`}>
          <TimeText at={lastUsedAt} />
        </span>
      ),
    ),
    column(["revoke", t`Revoke`, 96, { align: "end", narrow: "second" }], (token) => (
      <Button
        appearance="quiet"
        className={styles.rowButton}
        aria-label={
          token.owner === undefined
            ? t`Revoke ${token.name}`
            : t`Revoke ${token.name} of ${token.owner.name}`
        }
        onClick={() => onTask({ kind: "revoke", token })}
      >
        {t`Revoke…`}
      </Button>
    )),
  ];
}

function ownerColumn(): Column<ApiTokenView> {
  return column(["owner", t`User`, 140, { narrow: "line" }], ({ owner }) => (
    <span title={owner?.email}>{owner?.name}</span>
  ));
}

const STATES: Readonly<Record<ApiTokenView["state"], Presentation>> = {
  active: {
    get label() {
      return t`Active`;
    },
    shape: "disc",
    tone: "ok",
    isUsual: true,
    get help() {
      return t`Lets a program read.`;
    },
  },
  expired: {
    get label() {
      return t`Expired`;
    },
    shape: "ring-dash",
    tone: "neutral",
    get help() {
      return t`Refused because it has expired. It is removed from this list after 30 days.`;
    },
  },
  blocked: {
    get label() {
      return t`Blocked`;
    },
    shape: "ring-dash",
    tone: "neutral",
    get help() {
      return t`Refused while its user is disabled.`;
    },
  },
};
