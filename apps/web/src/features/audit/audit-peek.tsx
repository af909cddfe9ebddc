"use client";
import { diffRows } from "@cloudwright/core/model/audit/diff-rows";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Json } from "@cloudwright/core/model/values/json";
import type { AuditRow } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { CopyButton } from "../../components/button/copy-button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { formatInstant } from "../../components/time/format-time.ts";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import type { Zone } from "../../components/time/zone.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { agentText } from "../../platform/wording/agent-text.ts";
import {
  actorName,
  evidenceText,
  resultPresentation,
} from "../../platform/wording/audit-messages.ts";
import { WholeWhy } from "../../platform/wording/why-text.tsx";
import styles from "./audit.module.css";
import { AuditObject } from "./audit-columns.tsx";
import { auditTerm } from "./audit-grammar.ts";
import { actorKind, entryTitleText } from "./audit-verbs.ts";

/** One entry in full, with the values before and after. */
export function AuditPeek({
  chain,
  seq,
  onClose,
  onFilter,
}: {
  readonly chain: string;
  readonly seq: number;
  readonly onClose: () => void;
  readonly onFilter: (term: string) => void;
}) {
  const api = useApi();
  const found = useQuery(
    api.audit.list.queryOptions({
      cluster: chain,
      filter: { seq },
      sort: { by: "inserted", descending: true },
      limit: 1,
    }),
  );
  const entry = found.data?.rows[0];
  return (
    <PeekPanel title={t`Entry ${seq}`} onClose={onClose}>
      {entry === undefined ? (
        <Missing seq={seq} found={found} />
      ) : (
        <Entry entry={entry} onFilter={onFilter} />
      )}
    </PeekPanel>
  );
}

function Missing({ seq, found }: { readonly seq: number; readonly found: PendingQuery }) {
  if (found.isError || found.isPending) return <Pending query={found} lines={6} />;
  return (
    <EmptyState title={t`There is no entry ${seq}`}>
      {t`Cloudwright never deletes entries. Verify the chain to see whether one is missing.`}
    </EmptyState>
  );
}

function Entry({
  entry,
  onFilter,
}: {
  readonly entry: AuditRow;
  readonly onFilter: (term: string) => void;
}) {
  const { actor, before, after } = entry;
  const isChange = before !== null || after !== null;
  return (
    <>
      <p className="row">
        <StatusChip status={resultPresentation(entry.result)} prominent />
        <span>
          {entryTitleText(entry)} <AuditObject object={entry.object} />
        </span>
      </p>
      <p className="break lead second">
        <WholeWhy entry={entry} />
      </p>
      <EntryFacts entry={entry} />
      <p className={`buttons ${styles.filters}`}>
        <Button onClick={() => onFilter(auditTerm("actor", actor.name))}>
          {mixed`Only by ${actorName(actor)}`}
        </Button>
        {entry.object === undefined ? null : (
          <Button
            onClick={() =>
              onFilter(auditTerm("object", `${entry.object?.kind}/${entry.object?.name}`))
            }
          >
            {mixed`Only about ${entry.object.name}`}
          </Button>
        )}
      </p>
      <h3 className="body-size heavy">{t`Before and after`}</h3>
      {isChange ? (
        <EntryDiff before={before} after={after} />
      ) : (
        <p className="quiet">{t`This entry records no change.`}</p>
      )}
    </>
  );
}

function EntryFacts({ entry }: { readonly entry: AuditRow }) {
  const cluster = useClusterId();
  const { actor, client, runId, intentId, hash } = entry;
  return (
    <dl className={`grid gap-1-4 line-above ${styles.facts}`}>
      <dt>{t`When`}</dt>
      <dd>
        <ClockText at={entry.at} /> <span className="quiet">(</span>
        <TimeText at={entry.at} />
        <span className="quiet">)</span>
      </dd>
      <dt>{t`Who`}</dt>
      <dd>
        {actorName(actor)}{" "}
        <span className="quiet">{actor.kind === "person" ? "" : actorKind(actor.kind)}</span>
      </dd>
      <dt>{t`Proven by`}</dt>
      <dd>{evidenceText(entry.evidence)}</dd>
      <dt>{t`From`}</dt>
      <dd>{client === undefined ? "–" : `${client.address}, ${agentText(client.agent)}`}</dd>
      <dt>{t`Action`}</dt>
      <dd>
        <code>{entry.action}</code>
      </dd>
      <dt>{t`Record`}</dt>
      <dd>
        {runId === undefined ? null : <Link href={addresses.run(cluster, runId)}>{t`Run`}</Link>}{" "}
        {intentId === undefined ? null : (
          <Link href={addresses.action(cluster, intentId)}>{t`What was requested`}</Link>
        )}
        {runId === undefined && intentId === undefined ? "–" : null}
      </dd>
      <dt>{t`Hash`}</dt>
      <dd className={styles.hash}>
        <code>{hash}</code> <CopyButton text={hash} label={t`Copy the hash`} />
      </dd>
    </dl>
  );
}

/** The values before and after, stacked because there is no room for them side by side. */
function EntryDiff({ before, after }: { readonly before: Json; readonly after: Json }) {
  const { zone } = usePreferences();
  const text = (path: string, value: string | undefined) =>
    value === undefined ? undefined : valueText(path, value, zone);
  return (
    <dl className={`grid gap-3 ${styles.diff}`}>
      {diffRows(before, after).map((row) => (
        <div key={row.path}>
          <dt>{pathText(row.path)}</dt>
          <Side sign="−" word={t`before`} value={text(row.path, row.before)} />
          <Side sign="+" word={t`after`} value={text(row.path, row.after)} />
        </div>
      ))}
    </dl>
  );
}

function Side({
  sign,
  word,
  value,
}: {
  readonly sign: "−" | "+";
  readonly word: string;
  readonly value: string | undefined;
}) {
  if (value === undefined || value === "") return null;
  return (
    <dd data-sign={sign}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{word} </span>
      <code>{value}</code>
    </dd>
  );
}

/** Milliseconds since the epoch for the years 2001 to 2100; no other recorded number is this large. */
const [FIRST_MS, LAST_MS] = [1e12, 4.1e12];
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Formats a value of an entry: times in the page's zone, durations with units, everything else as it is. */
export function valueText(path: string, value: string, zone: Zone): string {
  return value
    .split("\n")
    .map((line) => lineText(path, line, zone))
    .join("\n");
}

function lineText(path: string, value: string, zone: Zone): string {
  if (ISO_TIME.test(value)) return formatInstant(Date.parse(value), zone);
  if (!/^\d+(\.\d+)?$/.test(value)) return value;
  const number = Number(value);
  if (number >= FIRST_MS && number <= LAST_MS) return formatInstant(number, zone);
  return path.endsWith("Ms") ? formatDuration(number) : value;
}

/** Formats the path of a value, without the words that only reflect how requests are stored. */
export function pathText(path: string): string {
  return path.replace(/^wish › /, "");
}
