"use client";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { FailedSignIns, PersonView } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { Link } from "../../components/link.tsx";
import { Pending } from "../../components/page/panel-states.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useViewer } from "../../platform/viewer/viewer-context.tsx";
import { AddPersonDialog } from "./add-person-dialog.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PersonDialog, type PersonTask } from "./person-dialog.tsx";
import { RolesMatrix } from "./roles-matrix.tsx";
import styles from "./settings.module.css";
import { SettingsPanel } from "./settings-panel.tsx";
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
    <SettingsPanel
      title="People"
      aside={
        <Button look="primary" onClick={() => setAdding(true)}>
          Add person…
        </Button>
      }
    >
      {people.data === undefined ? (
        <Pending query={people} lines={4} />
      ) : (
        <>
          <FailedSignInNotes people={people.data} cluster={cluster} />
          <PeopleTable people={people.data} onTask={begin} />
        </>
      )}
      <AddPersonDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      <PersonDialog task={task} isOpen={isChanging} onClose={() => setChanging(false)} />
    </SettingsPanel>
  );
}

function OnlyAdmins() {
  const { role, name } = useViewer();
  const api = useApi();
  const admins = useQuery(api.people.admins.queryOptions());
  const whom = admins.data ?? [];
  return (
    <SettingsPanel title="People">
      <p>
        You are {name}, {role}. Who else has an account is for admins to see and to change
        {whom.length === 0 ? "." : `: ${whom.join(", ")}.`}
      </p>
    </SettingsPanel>
  );
}

/** A few are mistyping; from here on somebody may be guessing. */
const WORTH_SAYING = 5;

interface Guessed {
  readonly person: PersonView;
  readonly failed: FailedSignIns;
}

/** Whose password was typed wrongly so often that an admin should know. */
function FailedSignInNotes({
  people,
  cluster,
}: {
  readonly people: readonly PersonView[];
  /** Whose pages the audit entries are shown in; undefined when no cluster has reported yet. */
  readonly cluster: string | undefined;
}) {
  const guessed = people.flatMap((person): Guessed[] => {
    const failed = person.failedSignIns;
    return failed === undefined || failed.count < WORTH_SAYING ? [] : [{ person, failed }];
  });
  if (guessed.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label="Wrong passwords">
      {guessed.map(({ person, failed }) => (
        <li key={person.id}>
          <strong>{person.name}</strong>: {failed.count.toLocaleString("en-GB")} wrong passwords in
          the last 24 h, the last <TimeText at={failed.lastAt} /> from{" "}
          {failed.lastAddress ?? "an unknown address"}. Each further attempt is delayed; the account
          stays open to the right password.{" "}
          {cluster === undefined ? null : (
            <Link href={refusals(cluster, person)}>Show the audit entries</Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function refusals(cluster: string, { email }: PersonView): string {
  const filter = `object:"${email}" action:account.refused`;
  return addresses.audit(cluster, `?chain=accounts&q=${encodeURIComponent(filter)}`);
}
