"use client";
import type { ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { useMemo } from "react";
import { Button } from "../../components/button/button.tsx";
import type { Presentation } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import styles from "./settings.module.css";
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
    column(["name", "Name", 170, { grows: true, pinned: true, narrow: "line" }], (token) => (
      <strong title={`Made by ${token.createdBy}`}>{token.name}</strong>
    )),
    ...(withOwner ? [ownerColumn()] : []),
    textColumn(["role", "Role", 84, { narrow: "first" }], ({ role }) => role),
    column(["clusters", "Clusters", 84], ({ clusters }) =>
      clusters === "all" ? "all" : String(clusters.length),
    ),
    column(["state", "State", 104], ({ state }) => <StatusChip status={STATES[state]} />),
    timeColumn(["expires", "Expires", 116, { narrow: "line" }], ({ expiresAt }) => expiresAt),
    column(["used", "Last used", 116], ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt === undefined ? (
        <span className="quiet small light">never</span>
      ) : (
        <span title={`from ${lastUsedAddress ?? "an unknown address"}`}>
          <TimeText at={lastUsedAt} />
        </span>
      ),
    ),
    column(["revoke", "Revoke", 96, { align: "end", narrow: "second" }], (token) => (
      <Button
        appearance="quiet"
        className={styles.rowButton}
        aria-label={`Revoke ${token.name}${token.owner === undefined ? "" : ` of ${token.owner.name}`}`}
        onClick={() => onTask({ kind: "revoke", token })}
      >
        Revoke…
      </Button>
    )),
  ];
}

function ownerColumn(): Column<ApiTokenView> {
  return column(["owner", "User", 140, { narrow: "line" }], ({ owner }) => (
    <span title={owner?.email}>{owner?.name}</span>
  ));
}

const STATES: Readonly<Record<ApiTokenView["state"], Presentation>> = {
  active: { label: "Active", shape: "disc", tone: "ok", help: "Lets a program read." },
  expired: {
    label: "Expired",
    shape: "ring-dash",
    tone: "neutral",
    help: "Is refused since it expired. It leaves this list after 30 days.",
  },
  blocked: {
    label: "Blocked",
    shape: "ring-dash",
    tone: "neutral",
    help: "Is refused as long as its user is disabled.",
  },
};
