"use client";
import {
  type QuotaUse,
  type ServiceQuotas,
  shareUsed,
} from "@cloudwright/core/model/records/quota-record";
import { capitalise } from "@cloudwright/core/model/sentence";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { isNearlyUsed } from "../../platform/wording/quota-messages.ts";
import styles from "./budget.module.css";
import { shareText } from "./budget-messages.ts";

/** How much of what the cloud grants is used, as the leader last read it; nothing on a cloud that does not say. */
export function QuotasPanel({ services }: { readonly services: readonly ServiceQuotas[] }) {
  if (services.length === 0) return null;
  const rows = services.flatMap(({ service, quotas }) =>
    quotas.map((quota) => ({ ...quota, service })),
  );
  return (
    <Panel title="Quotas of the cloud">
      <FiguresTable
        label="Quotas of the cloud"
        rows={rows}
        rowKey={({ service, resource }) => `${service}/${resource}`}
        empty="None could be read."
        columns={[
          { header: "Quota", cell: ({ resource }) => capitalise(resource) },
          { header: "Service", cell: ({ service }) => service },
          { header: "Used", cell: ({ used }) => countText(used, "not known") },
          { header: "Limit", cell: ({ limit }) => countText(limit, "none") },
          { header: "Left", cell: leftText },
          { header: "Of the limit", cell: (quota) => <Share quota={quota} /> },
        ]}
      />
      <ul className="grid gap-1 quiet small">
        {services.map((each) => (
          <li key={each.service}>
            <Standing of={each} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function countText(count: number | undefined, without: string): string {
  return count === undefined ? without : formatCount(count);
}

function leftText({ limit, used }: QuotaUse): string {
  if (limit === undefined || used === undefined) return "—";
  return formatCount(Math.max(0, limit - used));
}

function Share({ quota }: { readonly quota: QuotaUse }) {
  const text = shareText(shareUsed(quota));
  if (!isNearlyUsed(quota)) return text;
  return <strong className={`ink on-stuck round-small ${styles.bad}`}>{text}</strong>;
}

/** When the figures are from, and why there are no newer ones. */
function Standing({ of: { service, readAt, problem } }: { readonly of: ServiceQuotas }) {
  return (
    <>
      {service}:{" "}
      {readAt === undefined ? (
        "not read yet"
      ) : (
        <>
          read <TimeText at={readAt} />
        </>
      )}
      {problem === undefined ? "." : `; the last attempt failed: ${problem}`}
    </>
  );
}
