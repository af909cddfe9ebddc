"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { actionLabel, actorName } from "../wording/audit-messages.ts";
import { WhyText } from "../wording/why-text.tsx";

interface Traced {
  readonly kind: string;
  /** Includes the namespace, if there is one. */
  readonly name: string;
}

/** For a deleted object: what was last done to it, by whom and in which run. Its diagnosis says why. */
export function LastTrace(traced: Traced) {
  const { data: entry } = useLastEntry(traced);
  return entry === undefined || entry === null ? null : (
    <p className="second">
      <Trace entry={entry} />
    </p>
  );
}

/** The same for an object that no controller reports: the audit log remembers objects for longer than the lists do. */
export function OldTrace(traced: Traced) {
  const { data: entry } = useLastEntry(traced);
  if (entry === undefined) return null;
  if (entry === null) return <p>{t`The audit log has no entry about it either.`}</p>;
  return (
    <>
      <p>
        <Trace entry={entry} />
      </p>
      {entry.why === "" ? null : (
        <p className="quiet">
          <WhyText entry={entry} />
        </p>
      )}
    </>
  );
}

function Trace({ entry: { action, actor, at, runId } }: { readonly entry: AuditRow }) {
  const cluster = useClusterId();
  const step = <strong className="strong">{actionLabel(action)}</strong>;
  const who = actorName(actor);
  const when = <TimeText at={at} />;
  if (runId === undefined) return mixed`Last recorded: ${step}, by ${who}, ${when}.`;
  const href = addresses.run(cluster, runId);
  return mixed`Last recorded: ${step}, by ${who}, ${when}, in
    ${(
      <Link href={href} prefetch={false}>
        {t`this run`}
      </Link>
    )}.`;
}

/** Clean-up after a node is recorded after its deletion, so the deletion is looked for among this many of the newest entries. */
const NEWEST = 20;

/** Null if there is none, undefined until that is known. */
function useLastEntry({ kind, name }: Traced) {
  const cluster = useClusterId();
  const api = useApi();
  return useQuery(
    api.audit.list.queryOptions(
      {
        cluster,
        filter: { object: { kind, name }, result: "applied", withoutPreviews: true },
        sort: { by: "inserted", descending: true },
        limit: NEWEST,
      },
      {
        select: ({ rows }) =>
          rows.find(({ action }) => action === "node.delete") ?? rows[0] ?? null,
      },
    ),
  );
}
