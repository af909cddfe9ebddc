"use client";
import { t } from "@cloudwright/core/model/language/text";
import { roleIncludes } from "@cloudwright/core/model/roles";
import type { ApiTokenKind, ApiTokenView } from "@cloudwright/store/views/api-tokens";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import type { PendingQuery } from "../../../components/page/use-failure.ts";
import { expectPart, useFetched } from "../../../components/use-fetched.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { useViewer } from "../../../platform/viewer/viewer-context.tsx";
import { tokensByPanel } from "../account-fields.ts";
import { SettingsPanel } from "../settings-panel.tsx";
import type { TokenTask } from "./token-dialogs.tsx";
import { TokensTable } from "./tokens-table.tsx";

const loadDialogs = () => import("./token-dialogs.tsx").then(({ TokenDialogs }) => TokenDialogs);

/** The user's own tokens; for admins, also those of services and of all users. */
export function TokensSection() {
  const { role } = useViewer();
  const [task, setTask] = useState<TokenTask>();
  const [isOpen, setOpen] = useState(false);
  const Dialogs = useFetched(loadDialogs, task);
  const begin = useCallback((next: TokenTask) => {
    setTask(next);
    setOpen(true);
  }, []);
  return (
    <>
      <OwnTokens onTask={begin} />
      {roleIncludes(role, "admin") ? <AllTokens onTask={begin} /> : null}
      <ForScripts />
      {Dialogs === undefined ? null : (
        <Dialogs task={task} isOpen={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface PanelProps {
  readonly onTask: (task: TokenTask) => void;
}

function OwnTokens({ onTask }: PanelProps) {
  const api = useApi();
  const mine = useQuery(api.tokens.mine.queryOptions());
  return (
    <TokensPanel title={t`Your tokens`} of="own" tokens={mine} onTask={onTask} creates="personal">
      {t`A personal token lets a script read what you can read. It never sees more than you
        do: if your role or your clusters change, the token changes with them.`}
    </TokensPanel>
  );
}

/** Service tokens have a panel of their own, because admins create them there. */
function AllTokens({ onTask }: PanelProps) {
  const api = useApi();
  const { id } = useViewer();
  const all = useQuery(api.tokens.list.queryOptions());
  const { services, others } = useMemo(() => tokensByPanel(all.data, id), [all.data, id]);
  return (
    <>
      <TokensPanel
        title={t`Service tokens`}
        of="services"
        tokens={{ ...all, data: services }}
        onTask={onTask}
        creates="service"
      >
        {t`A service token belongs to a program, not to a user, and remains when the admin
          who made it leaves.`}
      </TokensPanel>
      {others === undefined || others.length === 0 ? null : (
        <TokensPanel
          title={t`Other users' tokens`}
          of="others"
          tokens={{ ...all, data: others }}
          onTask={onTask}
          withOwner
        />
      )}
    </>
  );
}

type Tokens = readonly ApiTokenView[];

function TokensPanel({
  title,
  of,
  tokens,
  onTask,
  creates,
  withOwner = false,
  children,
}: PanelProps & {
  readonly title: string;
  /** Selects the tokens for the export. */
  readonly of: "own" | "services" | "others";
  readonly tokens: PendingQuery & { readonly data: Tokens | undefined };
  /** The kind that can be created here. */
  readonly creates?: ApiTokenKind;
  readonly withOwner?: boolean;
  /** Explains this kind of token. */
  readonly children?: ReactNode;
}) {
  return (
    <SettingsPanel
      title={title}
      aside={
        <span className="row">
          <ExportMenu of={{ list: "tokens", filter: { of } }} />
          {creates === undefined ? null : <CreateButton kind={creates} onTask={onTask} />}
        </span>
      }
    >
      {children === undefined ? null : <p className="quiet small light">{children}</p>}
      {tokens.data === undefined ? (
        <Pending query={tokens} lines={3} />
      ) : (
        <Listed title={title} tokens={tokens.data} onTask={onTask} withOwner={withOwner} />
      )}
    </SettingsPanel>
  );
}

function Listed({
  title,
  tokens,
  onTask,
  withOwner,
}: PanelProps & {
  readonly title: string;
  readonly tokens: Tokens;
  readonly withOwner: boolean;
}) {
  if (tokens.length === 0) return <EmptyState title={t`No tokens`} />;
  return <TokensTable label={title} tokens={tokens} withOwner={withOwner} onTask={onTask} />;
}

function CreateButton({ kind, onTask }: PanelProps & { readonly kind: ApiTokenKind }) {
  const expect = () => expectPart(loadDialogs);
  return (
    <Button
      appearance="primary"
      onPointerEnter={expect}
      onFocus={expect}
      onClick={() => onTask({ kind: "create", of: kind })}
    >
      {kind === "personal" ? t`Create token…` : t`Create service token…`}
    </Button>
  );
}

const never = () => () => undefined;
const ownOrigin = () => window.location.origin;
/** The server does not know its own public address. */
const noOrigin = () => "https://…";

/** Uses this page's address, so that the line can be pasted as it is. */
function ForScripts() {
  const origin = useSyncExternalStore(never, ownOrigin, noOrigin);
  return (
    <SettingsPanel title={t`Using a token`}>
      <p>
        {mixed`The HTTP API answers in JSON under ${<code>/api/v1</code>} and is read-only. Send
          the token in the header ${<code>Authorization</code>}:`}
      </p>
      <pre className="scroll-x">
        <code>{`curl -H "Authorization: Bearer $TOKEN" ${origin}/api/v1/clusters`}</code>
      </pre>
      <p className="quiet small light">
        {mixed`Its machine-readable description is ${<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>}
          (OpenAPI 3.1).`}
      </p>
    </SettingsPanel>
  );
}
