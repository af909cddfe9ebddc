"use client";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { FailedSignIns, UserView } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { Pending } from "../../../components/page/panel-states.tsx";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { TimeText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useFetched } from "../../../components/use-fetched.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import styles from "../settings.module.css";
import { SettingsPanel } from "../settings-panel.tsx";
import { RolesMatrix } from "./roles-matrix.tsx";
import { useUsers } from "./use-users.ts";
import type { UserTask } from "./user-dialog.tsx";
import { UsersTable } from "./users-table.tsx";

const loadAdding = () => import("./add-user-dialog.tsx").then(({ AddUserDialog }) => AddUserDialog);
const loadChanging = () => import("./user-dialog.tsx").then(({ UserDialog }) => UserDialog);

/** The users of the dashboard, managed by admins, and what their roles mean, for everybody to read. */
export function UsersSection({ cluster }: { readonly cluster: string | undefined }) {
  const { role } = useViewer();
  const isAdmin = roleIncludes(role, "admin");
  return (
    <>
      {isAdmin ? <Users cluster={cluster} /> : <OnlyAdmins />}
      <RolesMatrix />
    </>
  );
}

function Users({ cluster }: { readonly cluster: string | undefined }) {
  const users = useUsers(true);
  const [isAdding, setAdding] = useState(false);
  const [task, setTask] = useState<UserTask>();
  const [isChanging, setChanging] = useState(false);
  const AddUserDialog = useFetched(loadAdding, isAdding || undefined);
  const UserDialog = useFetched(loadChanging, task);
  const begin = useCallback((next: UserTask) => {
    setTask(next);
    setChanging(true);
  }, []);
  return (
    <SettingsPanel
      title={t`Users`}
      aside={
        <span className="row">
          <ExportMenu of={{ list: "users" }} />
          <Button appearance="primary" onClick={() => setAdding(true)}>
            {t`Add user…`}
          </Button>
        </span>
      }
    >
      {users.data === undefined ? (
        <Pending query={users} lines={4} />
      ) : (
        <>
          <FailedSignInNotes users={users.data} cluster={cluster} />
          <UsersTable users={users.data} onTask={begin} />
        </>
      )}
      {AddUserDialog === undefined ? null : (
        <AddUserDialog isOpen={isAdding} onClose={() => setAdding(false)} />
      )}
      {UserDialog === undefined ? null : (
        <UserDialog task={task} isOpen={isChanging} onClose={() => setChanging(false)} />
      )}
    </SettingsPanel>
  );
}

function OnlyAdmins() {
  const { role, name } = useViewer();
  const api = useApi();
  const admins = useQuery(api.people.admins.queryOptions());
  const whom = admins.data ?? [];
  return (
    <SettingsPanel title={t`Users`}>
      <p>
        {whom.length === 0
          ? t`You are ${name}, ${role}. Only admins can see and change who else has an account.`
          : t`You are ${name}, ${role}. Only admins can see and change who else has an account:
            ${whom.join(", ")}.`}
      </p>
    </SettingsPanel>
  );
}

/** A few are typing mistakes; from this number on, somebody may be guessing. */
const WORTH_SAYING = 5;

interface Guessed {
  readonly user: UserView;
  readonly failed: FailedSignIns;
}

/** The users whose password or code was wrong so often that an admin should know. */
function FailedSignInNotes({
  users,
  cluster,
}: {
  readonly users: readonly UserView[];
  /** The cluster whose pages show the audit entries; undefined if none has reported yet. */
  readonly cluster: string | undefined;
}) {
  const guessed = users.flatMap((user): Guessed[] => {
    const failed = user.failedSignIns;
    return failed === undefined || failed.count < WORTH_SAYING ? [] : [{ user, failed }];
  });
  if (guessed.length === 0) return null;
  return (
    <ul className={`stack pad-0 flush ${styles.notes}`} aria-label={t`Wrong passwords`}>
      {guessed.map(({ user, failed }) => (
        <li key={user.id}>
          {mixed`${<strong>{user.name}</strong>}: ${formatCount(failed.count)} wrong
            passwords or codes in the last 24 h, the last ${<TimeText at={failed.lastAt} />} from
            ${failed.lastAddress ?? t`an unknown address`}. Each further attempt is delayed; the
            account stays open to the right one.`}{" "}
          {cluster === undefined ? null : (
            <Link href={refusals(cluster, user)}>{t`Show the audit entries`}</Link>
          )}
        </li>
      ))}
    </ul>
  );
}

function refusals(cluster: string, { email }: UserView): string {
  const filter = `object:"${email}" action:account.refused`;
  return addresses.audit(cluster, `?chain=accounts&q=${encodeURIComponent(filter)}`);
}
