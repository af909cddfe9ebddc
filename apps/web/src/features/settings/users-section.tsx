"use client";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { useViewer } from "../../platform/viewer/viewer-context.tsx";
import { AddPersonDialog } from "./add-person-dialog.tsx";
import { FailedSignInNotes } from "./failed-sign-ins.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PersonDialog, type PersonTask } from "./person-dialog.tsx";
import { RolesMatrix } from "./roles-matrix.tsx";
import styles from "./settings.module.css";
import { usePeople } from "./use-people.ts";

/** The people of the dashboard, for admins to keep, and what their roles mean, for everybody to read. */
export function UsersSection({ cluster }: { readonly cluster: string | undefined }) {
  const { role } = useViewer();
  const isAdmin = roleIncludes(role, "admin");
  return (
    <>
      {isAdmin ? <People cluster={cluster} /> : <OnlyAdmins />}
      <RolesMatrix />
    </>
  );
}

function People({ cluster }: { readonly cluster: string | undefined }) {
  const people = usePeople(true);
  const [isAdding, setAdding] = useState(false);
  const [task, setTask] = useState<PersonTask>();
  const [isChanging, setChanging] = useState(false);
  const begin = useCallback((next: PersonTask) => {
    setTask(next);
    setChanging(true);
  }, []);
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby="people">
      <header className={page.header}>
        <h2 id="people" className={styles.panelTitle}>
          People
        </h2>
        <span className={page.push} />
        <Button look="primary" onClick={() => setAdding(true)}>
          Add person…
        </Button>
      </header>
      {people.data === undefined ? (
        people.isError ? (
          <ErrorState error={people.error} retry={() => void people.refetch()} />
        ) : (
          <Skeleton lines={4} />
        )
      ) : (
        <>
          <FailedSignInNotes people={people.data} cluster={cluster} />
          <PeopleTable people={people.data} onTask={begin} />
        </>
      )}
      <AddPersonDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <PersonDialog task={task} isOpen={isChanging} onClose={() => setChanging(false)} />
    </section>
  );
}

function OnlyAdmins() {
  const { role, name } = useViewer();
  const api = useApi();
  const admins = useQuery(api.people.admins.queryOptions());
  const whom = admins.data ?? [];
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby="people">
      <h2 id="people" className={styles.panelTitle}>
        People
      </h2>
      <p>
        You are {name}, {role}. Who else has an account is for admins to see and to change
        {whom.length === 0 ? "." : `: ${whom.join(", ")}.`}
      </p>
    </section>
  );
}
