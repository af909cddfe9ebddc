"use client";
import { partName, partValue } from "@cloudwright/core/model/language/cloud-words";
import { t } from "@cloudwright/core/model/language/text";
import { Button } from "../../../components/button/button.tsx";
import { CopyButton } from "../../../components/button/copy-button.tsx";
import compare from "../../../components/facts/compare-table.module.css";
import { mixed } from "../../../components/language/mixed-text.ts";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { DRIFT_PRESENTATION } from "../../../components/presentation/states.ts";
import { ScrollBox } from "../../../components/scroll-edges/scroll-edges.tsx";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { type AspectRow, aspectRows, comparedSentence } from "./aspects.ts";
import styles from "./load-balancer-page.module.css";
import { LoadBalancerTree } from "./load-balancer-tree.tsx";
import type { LoadBalancerTabProps } from "./load-balancer-url.ts";

/** What the Service asks for beside what is in the cloud; by default, only the differences. */
export function DesiredTab({ loadBalancer, view, push }: LoadBalancerTabProps) {
  const { detail, row } = loadBalancer;
  if (detail === undefined) {
    return (
      <EmptyState isCard title={t`Nothing is known about its load balancer yet`}>
        {t`It appears once the controller has asked the cloud and got an answer.`}
      </EmptyState>
    );
  }
  const rows = aspectRows(detail);
  const shown = view.all ? rows : rows.filter(({ differs }) => differs);
  return (
    <>
      <section className={page.card} aria-label={t`Desired and actual`}>
        <div className={styles.bar}>
          <p>{comparedSentence(detail)}</p>
          <span className="buttons">
            <Button
              active={view.layout === "lines"}
              aria-pressed={view.layout === "lines"}
              onClick={() =>
                push((now) => ({ ...now, layout: now.layout === "lines" ? "sides" : "lines" }))
              }
            >
              {t`One above the other`}
            </Button>
            <Button
              active={view.all}
              aria-pressed={view.all}
              onClick={() => push((now) => ({ ...now, all: !now.all }))}
            >
              {t`Show what matches`}
            </Button>
          </span>
        </div>
        {shown.length === 0 ? null : view.layout === "lines" ? (
          <AspectLines rows={shown} />
        ) : (
          <AspectTable rows={shown} />
        )}
        <Ignored fields={detail.ignored} />
        {detail.unseen === undefined ? null : (
          <p className={`pad-2-4 small quiet line-above ${styles.ignored}`}>
            {partValue(detail.unseen)}
          </p>
        )}
      </section>
      <LoadBalancerTree row={row} detail={detail} />
    </>
  );
}

function AspectTable({ rows }: { readonly rows: readonly AspectRow[] }) {
  return (
    <ScrollBox className="scroll-x">
      <table className={styles.aspects}>
        <caption className="visually-hidden">{t`What is desired, and what is there`}</caption>
        <thead>
          <tr>
            <th scope="col">{t`Part`}</th>
            <th scope="col">{t`Desired`}</th>
            <th scope="col">{t`Actual`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-differs={row.differs}>
              <th scope="row">
                <AspectName row={row} />
              </th>
              <Value source={t`Desired`} row={row} value={row.desired} />
              <Value source={t`Actual`} row={row} value={row.actual} isWrong={row.differs} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function AspectName({ row }: { readonly row: AspectRow }) {
  return (
    <span className="inline-flex centred gap-icon">
      {row.differs ? <StatusIcon status={DRIFT_PRESENTATION.drifted} size={14} /> : null}
      {partName(row.name)}
      {row.differs ? <span className="visually-hidden">{t` (differs)`}</span> : null}
    </span>
  );
}

function Value({
  source,
  row,
  value,
  isWrong = false,
}: {
  readonly source: string;
  readonly row: AspectRow;
  readonly value: string | undefined;
  readonly isWrong?: boolean;
}) {
  return (
    <td data-source={source} data-wrong={isWrong}>
      {value === undefined ? (
        <span className={compare.nothing}>{t`nothing`}</span>
      ) : (
        <span className={`flex top gap-1 break ${compare.value}`}>
          <code>{partValue(value)}</code>
          <CopyButton
            text={value}
            label={t`Copy ${partName(row.name)} (${source.toLowerCase()})`}
          />
        </span>
      )}
    </td>
  );
}

/** Laid out like a diff: the actual value, and below it the desired one. */
function AspectLines({ rows }: { readonly rows: readonly AspectRow[] }) {
  return (
    <ul className={styles.lines}>
      {rows.map((row) => (
        <li key={row.name} data-differs={row.differs}>
          <AspectName row={row} />
          {row.differs ? (
            <>
              <Line sign="−" word={t`actual`} value={row.actual} />
              <Line sign="+" word={t`desired`} value={row.desired} />
            </>
          ) : (
            <Line sign="=" word={t`both`} value={row.desired} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Line({
  sign,
  word,
  value,
}: {
  readonly sign: "−" | "+" | "=";
  readonly word: string;
  readonly value: string | undefined;
}) {
  return (
    <span className={`grid break round-small ${styles.line}`} data-sign={sign}>
      <span className="quiet small">{word}</span>
      {value === undefined ? (
        <span className={compare.nothing}>{t`nothing`}</span>
      ) : (
        <code>{partValue(value)}</code>
      )}
    </span>
  );
}

function Ignored({ fields }: { readonly fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <p className={`pad-2-4 small quiet line-above ${styles.ignored}`}>
      {mixed`Not compared, because the cloud fills it in: ${fields.map(partName).join(", ")}.`}
    </p>
  );
}
