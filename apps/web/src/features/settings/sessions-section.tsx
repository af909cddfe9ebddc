"use client";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { ChangeFailed } from "../../components/form/form.tsx";
import { Pending } from "../../components/page/panel-states.tsx";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { useViewer } from "../../platform/viewer/viewer-context.tsx";
import { OwnAuthenticator } from "./authenticator/own-authenticator.tsx";
import { SessionsTable } from "./sessions-table.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import { OwnPassword } from "./users/own-password.tsx";
import { useAskAgain } from "./users/use-users.ts";

/** Where the user is signed in and how; for admins, all users' sessions. */
export function SessionsSection() {
  const { role } = useViewer();
  return (
    <>
      <OwnSessions />
      <OwnPassword />
      <OwnAuthenticator />
      {roleIncludes(role, "admin") ? <AllSessions /> : null}
    </>
  );
}

function OwnSessions() {
  const api = useApi();
  const askAgain = useAskAgain();
  const mine = useQuery(api.sessions.mine.queryOptions());
  const endOthers = useMutation(api.sessions.revokeAll.mutationOptions({ onSettled: askAgain }));
  const others = mine.data?.filter(({ isThis }) => !isThis).length ?? 0;
  return (
    <SessionsPanel
      title={t`Your sessions`}
      of="own"
      sessions={mine}
      failed={endOthers.error}
      withUser={false}
    >
      <Button disabled={others === 0 || endOthers.isPending} onClick={() => endOthers.mutate({})}>
        {t`End all others`}
      </Button>
    </SessionsPanel>
  );
}

function AllSessions() {
  const api = useApi();
  const all = useQuery(api.sessions.list.queryOptions({}));
  return <SessionsPanel title={t`Everybody's sessions`} of="all" sessions={all} withUser />;
}

function SessionsPanel({
  title,
  of,
  sessions,
  failed = null,
  withUser,
  children,
}: {
  readonly title: string;
  /** Selects the sessions for the export. */
  readonly of: "own" | "all";
  readonly sessions: PendingQuery & {
    readonly data: Parameters<typeof SessionsTable>[0]["sessions"] | undefined;
  };
  /** Why all of them could not be ended. */
  readonly failed?: unknown;
  readonly withUser: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <SettingsPanel
      title={title}
      aside={
        <span className="row">
          <ExportMenu of={{ list: "sessions", filter: { of } }} />
          {children}
        </span>
      }
    >
      <ChangeFailed error={failed} />
      {sessions.data === undefined ? (
        <Pending query={sessions} lines={3} />
      ) : (
        <SessionsTable label={title} sessions={sessions.data} withUser={withUser} />
      )}
    </SettingsPanel>
  );
}
