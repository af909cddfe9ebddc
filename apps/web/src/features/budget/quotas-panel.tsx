"use client";
import { t } from "@cloudwright/core/model/language/text";
import {
  type QuotaUse,
  type ServiceQuotas,
  shareUsed,
} from "@cloudwright/core/model/records/quota-record";
import { capitalise } from "@cloudwright/core/model/sentence";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Panel } from "../../components/page/panel.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { isNearlyUsed } from "../../platform/wording/quota-messages.ts";
import styles from "./budget.module.css";
import { quotaRows } from "./budget-fields.ts";
import { shareText } from "./budget-messages.ts";

/** The used part of the cloud's quotas, as the leader last read it; nothing for a cloud that does not report them. */
export function QuotasPanel({ services }: { readonly services: readonly ServiceQuotas[] }) {
  const cluster = useClusterId();
  if (services.length === 0) return null;
  const rows = quotaRows(services);
  return (
    <Panel
      title={t`Quotas of the cloud`}
      aside={<ExportMenu of={{ list: "quotas", cluster }} what={t`Quotas of the cloud`} />}
    >
      <FiguresTable
        label={t`Quotas of the cloud`}
        rows={rows}
        rowKey={({ service, resource }) => `${service}/${resource}`}
        empty={t`None could be read.`}
        columns={[
          { header: t`Quota`, cell: ({ resource }) => capitalise(resource) },
          { header: t`Service`, cell: ({ service }) => service, isText: true },
          { header: t`Used`, cell: ({ used }) => countText(used, t`not known`) },
          { header: t`Limit`, cell: ({ limit }) => countText(limit, t`none`) },
          { header: t`Left`, cell: leftText },
          { header: t`Of the limit`, cell: (quota) => <Share quota={quota} /> },
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

/** When the figures were read, and why there are no newer ones. */
function Standing({ of: { service, readAt, problem } }: { readonly of: ServiceQuotas }) {
  if (readAt === undefined) {
    return problem === undefined
      ? t`${service}: not read yet.`
      : t`${service}: not read yet; the last attempt failed: ${problem}`;
  }
  const read = <TimeText at={readAt} />;
  return problem === undefined
    ? mixed`${service}: read ${read}.`
    : mixed`${service}: read ${read}; the last attempt failed: ${problem}`;
}
