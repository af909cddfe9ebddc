"use client";
import type { PersonView } from "@cloudwright/store/views/views";
import { Menu } from "@mantine/core";
import { useMemo } from "react";
import { Button, Caret } from "../../components/button/button.tsx";
import type { Presentation } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { useViewer } from "../../platform/viewer/viewer-context.tsx";
import type { PersonTask } from "./person-dialog.tsx";
import styles from "./settings.module.css";

export function PeopleTable({
  people,
  onTask,
}: {
  readonly people: readonly PersonView[];
  readonly onTask: (task: PersonTask) => void;
}) {
  const { id } = useViewer();
  const columns = useMemo(() => peopleColumns(id, onTask), [id, onTask]);
  return (
    <div className={styles.table}>
      <DataTable
        label="People"
        columns={columns}
        rows={people}
        total={people.length}
        rowKey={(person) => person.id}
      />
    </div>
  );
}

function peopleColumns(
  own: string,
  onTask: (task: PersonTask) => void,
): readonly Column<PersonView>[] {
  return [
    column(["name", "Name", 160, { pinned: true, narrow: "line" }], ({ id, name }) => (
      <>
        <strong>{name}</strong>
        {id === own ? <span className="quiet small light"> you</span> : null}
      </>
    )),
    textColumn(
      ["email", "E-mail address", 200, { grows: true, narrow: "line" }],
      ({ email }) => email,
    ),
    textColumn(["role", "Role", 92, { narrow: "first" }], ({ role }) => role),
    column(["clusters", "Clusters", 92], ({ clusters }) =>
      clusters === "all" ? "all" : String(clusters.length),
    ),
    column(["state", "State", 112], (person) => (
      <span title={person.disabledWhy}>
        <StatusChip status={person.disabled ? DISABLED : ACTIVE} />
      </span>
    )),
    ...signInColumns(),
    column(["change", "Change", 132, { align: "end", narrow: "second" }], (person) => (
      <ChangeMenu person={person} isOwn={person.id === own} onTask={onTask} />
    )),
  ];
}

function signInColumns(): readonly Column<PersonView>[] {
  return [
    column(["password", "Signs in by", 104], ({ hasPassword }) =>
      hasPassword ? "password" : "link",
    ),
    column(["seen", "Last seen", 116], ({ lastSeenAt }) =>
      lastSeenAt === undefined ? (
        <span className="quiet small light">never</span>
      ) : (
        <TimeText at={lastSeenAt} />
      ),
    ),
    column(["sessions", "Sessions", 84, { align: "end" }], (row) => row.sessions),
  ];
}

const ACTIVE: Presentation = {
  label: "Active",
  shape: "disc",
  tone: "ok",
  help: "May sign in.",
};
const DISABLED: Presentation = {
  label: "Disabled",
  shape: "ring-dash",
  tone: "neutral",
  help: "Cannot sign in and has no session.",
};

function ChangeMenu({
  person,
  isOwn,
  onTask,
}: {
  readonly person: PersonView;
  readonly isOwn: boolean;
  readonly onTask: (task: PersonTask) => void;
}) {
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button look="quiet" className={styles.rowButton} aria-label={`Change ${person.name}`}>
          Change
          <Caret />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onTask({ kind: "role", person })}>Change role…</Menu.Item>
        <Menu.Item onClick={() => onTask({ kind: "clusters", person })}>Change clusters…</Menu.Item>
        {isOwn ? null : (
          <Menu.Item
            disabled={person.disabled}
            onClick={() => onTask({ kind: "password", person })}
          >
            Reset password…
          </Menu.Item>
        )}
        <Menu.Item
          disabled={person.sessions === 0}
          onClick={() => onTask({ kind: "sessions", person })}
        >
          End all sessions…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => onTask({ kind: person.disabled ? "enable" : "disable", person })}>
          {person.disabled ? "Enable again…" : "Disable…"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
