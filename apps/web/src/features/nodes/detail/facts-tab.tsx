"use client";
import { explanationText } from "@cloudwright/core/model/cloud-texts/cloud-texts";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeFacts } from "@cloudwright/core/model/records/node-record";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { Button } from "../../../components/button/button.tsx";
import { CopyButton } from "../../../components/button/copy-button.tsx";
import { RequestChip } from "../../../components/evidence/request-chip.tsx";
import compare from "../../../components/facts/compare-table.module.css";
import { JustChanged } from "../../../components/just-changed/just-changed.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { DRIFT_PRESENTATION } from "../../../components/presentation/states.ts";
import { ScrollBox } from "../../../components/scroll-edges/scroll-edges.tsx";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { TimeText } from "../../../components/time/time-text.tsx";
import { compareFacts, type FactRow } from "./compare/compare-facts.ts";
import styles from "./facts-tab.module.css";

/** The cloud's, the node's and the desired values side by side; by default, only the differences. */
export function FactsTab({
  node,
  all,
  onAll,
}: {
  readonly node: NodeDetail;
  readonly all: boolean;
  readonly onAll: (all: boolean) => void;
}) {
  const rows = compareFacts(node);
  const differing = rows.filter(({ differs }) => differs);
  if (rows.length === 0) {
    return (
      <EmptyState isCard title={t`No facts are known yet`}>
        {t`They appear once the controller has observed the node and the cloud has answered.`}
      </EmptyState>
    );
  }
  const shown = all || differing.length === 0 ? rows : differing;
  return (
    <div className={page.card}>
      <div className={compare.bar}>
        <p>
          {differing.length === 0
            ? summary(node)
            : t`${differing.length} of ${rows.length} facts differ.`}
        </p>
        {differing.length === 0 ? null : (
          <Button active={all} aria-pressed={all} onClick={() => onAll(!all)}>
            {all ? t`Only differences` : t`Show all facts`}
          </Button>
        )}
      </div>
      <FactsTable rows={shown} node={node} />
    </div>
  );
}

function summary({ wanted }: NodeDetail): string {
  return wanted === undefined
    ? t`Nothing is compared: the cloud's facts are not known.`
    : t`The node has everything that it should have.`;
}

function FactsTable({
  rows,
  node,
}: {
  readonly rows: readonly FactRow[];
  readonly node: NodeDetail;
}) {
  return (
    <ScrollBox className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">{t`Facts of the cloud, facts of the node, and what is wanted`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Fact`}</th>
            <SourceHead title={t`Cloud says`} facts={node.cloud} />
            <SourceHead title={t`Node has`} facts={node.node} />
            <SourceHead title={t`We want`} facts={undefined} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-differs={row.differs}>
              <th scope="row">
                <span className="flex centred gap-icon">
                  {row.differs ? (
                    <StatusIcon status={DRIFT_PRESENTATION.drifted} size={14} />
                  ) : null}
                  {row.label}
                  {row.differs ? <span className="visually-hidden">{t` (differs)`}</span> : null}
                </span>
              </th>
              <Value
                {...{ of: node.row.uid, source: t`Cloud says`, fact: row.label, value: row.cloud }}
                isKnown={node.cloud !== undefined}
              />
              <Value
                {...{ of: node.row.uid, source: t`Node has`, fact: row.label, value: row.node }}
                isWrong={row.differs}
              />
              <Value
                {...{ of: node.row.uid, source: t`We want`, fact: row.label, value: row.wanted }}
                isKnown={node.wanted !== undefined}
              />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function SourceHead({
  title,
  facts,
}: {
  readonly title: string;
  readonly facts: NodeFacts | undefined;
}) {
  return (
    <th scope="col">
      {title}
      {facts === undefined ? null : (
        <span className="block caption light">
          <TimeText at={facts.asOf} />
          {facts.requestId === undefined
            ? null
            : mixed` · request ${<RequestChip id={facts.requestId} />}`}
          {facts.explained === undefined ? null : ` · ${explanationText(facts.explained)}`}
        </span>
      )}
    </th>
  );
}

function Value({
  of,
  source,
  fact,
  value,
  isWrong = false,
  isKnown = true,
}: {
  /** The node. */
  readonly of: string;
  readonly source: string;
  readonly fact: string;
  readonly value: string | undefined;
  readonly isWrong?: boolean;
  /** Otherwise a missing value means nothing. */
  readonly isKnown?: boolean;
}) {
  return (
    <td data-wrong={isWrong} data-source={source}>
      <JustChanged of={of} value={value ?? ""}>
        {value === undefined ? (
          <span className={compare.nothing}>{isKnown ? t`nothing` : t`not known`}</span>
        ) : (
          <span className={`flex top gap-1 break ${compare.value}`}>
            <code>{value}</code>
            <CopyButton text={value} label={t`Copy ${fact} (${source.toLowerCase()})`} />
          </span>
        )}
      </JustChanged>
    </td>
  );
}
