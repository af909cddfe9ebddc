"use client";
import type { RunDetail } from "@cloudwright/store/views";
import { useMemo } from "react";
import { Button } from "../../../components/button.tsx";
import page from "../../../components/page.module.css";
import { EmptyState } from "../../../components/panel-states.tsx";
import type { ChangeView } from "../../../components/url/use-url-state.ts";
import type { RunView } from "./run-url.ts";
import { SpanDetails } from "./span-details.tsx";
import styles from "./waterfall.module.css";
import { waterfall } from "./waterfall.ts";
import { WaterfallChart } from "./waterfall-chart.tsx";
import { WaterfallTable } from "./waterfall-table.tsx";
import { zoomed } from "./zoom.ts";
import { ZoomBar } from "./zoom-bar.tsx";

/** Where a run's time went: phases and calls as bars, or the same as a table. */
export function WaterfallTab({
  run,
  view,
  onView,
}: {
  readonly run: RunDetail;
  readonly view: RunView;
  readonly onView: ChangeView<RunView>;
}) {
  const { end } = run;
  const model = useMemo(() => (end === undefined ? undefined : waterfall(end)), [end]);
  const { zoom } = view;
  const shown = useMemo(
    () => (model === undefined ? undefined : zoomed(model, zoom)),
    [model, zoom],
  );
  if (model === undefined || shown === undefined) return <NoEnd run={run} />;
  const select = (id: string) =>
    onView((now) => ({ ...now, span: now.span === id ? undefined : id }));
  const selected = model.bars.find(({ id }) => id === view.span);
  return (
    <div className={page.card}>
      <div className={styles.bar}>
        <Legend />
        <Button
          active={view.asTable}
          aria-pressed={view.asTable}
          onClick={() => onView((now) => ({ ...now, asTable: !now.asTable }))}
        >
          {view.asTable ? "Show bars" : "Show as table"}
        </Button>
      </div>
      {view.asTable ? (
        <WaterfallTable bars={model.bars} />
      ) : (
        <>
          <ZoomBar
            model={model}
            part={view.zoom}
            chosen={selected}
            onZoom={(zoom) => onView((now) => ({ ...now, zoom }))}
          />
          <WaterfallChart model={shown} selected={view.span} onSelect={select} />
        </>
      )}
      {selected === undefined ? null : <SpanDetails bar={selected} />}
    </div>
  );
}

function NoEnd({ run }: { readonly run: RunDetail }) {
  const isRunning = run.row.outcome === "running";
  return (
    <div className={page.card}>
      <EmptyState title={isRunning ? "This run is under way" : "This run has no recorded end"}>
        {isRunning
          ? "Its calls appear when it has ended."
          : "The controller ended during it, so its calls are not known. The next run carried on from what it found."}
      </EmptyState>
    </div>
  );
}

const LEGEND = [
  ["queue", "Queue"],
  ["phase", "Phase"],
  ["cloud", "Cloud call"],
  ["kube", "Kubernetes call"],
  ["limiter", "Waits for the limit"],
  ["failed", "Failed"],
] as const;

function Legend() {
  return (
    <ul className={styles.legend} aria-label="What the bars mean">
      {LEGEND.map(([kind, label]) => (
        <li key={kind}>
          <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
          {label}
        </li>
      ))}
      <li>
        <span className={styles.critical} aria-hidden="true">
          ◂
        </span>
        Critical path
      </li>
    </ul>
  );
}
