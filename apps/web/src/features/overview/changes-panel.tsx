"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { ChangeNote } from "@cloudwright/store/views/overview";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { UnreadPart } from "../../components/page/unread-part.tsx";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { happened } from "../../platform/wording/audit-messages.ts";
import lines from "./lines.module.css";

/** These always have the same reason. */
const ROUTINE = new Set<ChangeNote["action"]>([
  "node.initialise",
  "node.addresses",
  "node.pod-cidrs",
]);

/** The latest changes in the cluster, by controllers and by users. */
export function ChangesPanel({
  changes,
}: {
  /** Undefined if they could not be read. */
  readonly changes: readonly ChangeNote[] | undefined;
}) {
  const cluster = useClusterId();
  return (
    <Panel
      title={t`Changes`}
      aside={<Link href={addresses.runs(cluster, "outcome:changed")}>{t`All changes`}</Link>}
    >
      {changes === undefined ? (
        <UnreadPart />
      ) : changes.length === 0 ? (
        <p className="quiet small">{t`Nothing has been changed yet.`}</p>
      ) : (
        <ol className="grid">
          {changes.map((change) => (
            <ChangeLine key={change.id} change={change} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function ChangeLine({ change }: { readonly change: ChangeNote }) {
  const cluster = useClusterId();
  const { at, action, object, why, runId, initMs } = change;
  return (
    <li className={`grid gap-3 ${lines.change}`}>
      <span className="quiet">
        <TimeText at={at} />
      </span>
      <span className={`narrows break ${lines.changeText}`}>
        <ObjectName object={object} /> {happened(action)}
        {initMs === undefined ? "" : keepUnits(` (${formatDuration(initMs)})`)}
        {ROUTINE.has(action) ? null : <span className="quiet small"> · {why}</span>}
      </span>
      {runId === undefined ? null : (
        <Link href={addresses.run(cluster, runId)} prefetch={false}>
          {t`Run`}
          <span className="visually-hidden"> {t`that changed ${object?.name ?? ""}`}</span>
        </Link>
      )}
    </li>
  );
}

function ObjectName({ object }: { readonly object: ChangeNote["object"] }) {
  if (object === undefined) return t`Something`;
  return <ObjectLink object={object} className="strong" />;
}
