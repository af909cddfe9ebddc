"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Step } from "@cloudwright/core/model/run";
import type { RunDetail } from "@cloudwright/store/views/views";
import { useMemo } from "react";
import { Button } from "../../../../components/button/button.tsx";
import { CopyButton } from "../../../../components/button/copy-button.tsx";
import { CallError } from "../../../../components/evidence/recorded-text.tsx";
import { Fact, Facts } from "../../../../components/facts/fact.tsx";
import { JsonView } from "../../../../components/facts/json-view.tsx";
import { mixed } from "../../../../components/language/mixed-text.ts";
import page from "../../../../components/page/page.module.css";
import { EmptyState } from "../../../../components/page/panel-states.tsx";
import { ScrollBox } from "../../../../components/scroll-edges/scroll-edges.tsx";
import type { ChangeView } from "../../../../components/url/use-url-state.ts";
import type { RunView } from "../run-url.ts";
import { triesText } from "../tries.ts";
import { UnderWay } from "../under-way.tsx";
import type { Bar } from "./bar.ts";
import styles from "./waterfall.module.css";
import { waterfall } from "./waterfall.ts";
import { WaterfallChart } from "./waterfall-chart.tsx";
import { zoomed } from "./zoom.ts";
import { ZoomBar } from "./zoom-bar.tsx";

/** Where a run's time went: phases and calls as bars, or as a table. */
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
  const selected = selectedBar(model.bars, view.span);
  const select = (id: string) =>
    onView((now) => ({ ...now, span: selected?.id === id ? undefined : id }));
  return (
    <div className={page.card}>
      <div className="row apart pad-2-4 line-below">
        <Legend />
        <Button
          active={view.asTable}
          aria-pressed={view.asTable}
          onClick={() => onView((now) => ({ ...now, asTable: !now.asTable }))}
        >
          {view.asTable ? t`Show bars` : t`Show as table`}
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
          <WaterfallChart model={shown} selected={selected?.id} onSelect={select} />
        </>
      )}
      {selected === undefined ? null : <SpanDetails bar={selected} />}
    </div>
  );
}

/** A link with a request id does not know the bar, and may have only the id's first characters. */
function selectedBar(bars: readonly Bar[], span: string | undefined): Bar | undefined {
  if (span === undefined) return undefined;
  return (
    bars.find(({ id }) => id === span) ??
    bars.find(({ step }) => step?.requestId?.startsWith(span) === true)
  );
}

function NoEnd({ run }: { readonly run: RunDetail }) {
  if (run.row.outcome === "running") return <UnderWay run={run} />;
  return (
    <EmptyState isCard title={t`This run has no recorded end`}>
      {t`The controller stopped during it, so its calls are not known. The next run carried on from what it found.`}
    </EmptyState>
  );
}

const LEGEND = [
  ["queue", () => t`Queue`],
  ["phase", () => t`Phase`],
  ["cloud", () => t`Cloud call`],
  ["kube", () => t`Kubernetes call`],
  ["limiter", () => t`Waits for the limit`],
  ["failed", () => t`Failed`],
  ["tries", () => t`Attempts of one call`],
] as const;

function Legend() {
  return (
    <ul
      className={`flex wrap gap-1-4 small second ${styles.legend}`}
      aria-label={t`What the bars mean`}
    >
      {LEGEND.map(([kind, label]) => (
        <li key={kind}>
          <span className={styles.swatch} data-kind={kind} aria-hidden="true" />
          {label()}
        </li>
      ))}
      <li>
        {mixed`${(
          <span className={styles.critical} aria-hidden="true">
            ◂
          </span>
        )}Critical path`}
      </li>
    </ul>
  );
}

/** The accessible counterpart of the bars: the same rows with their figures. */
function WaterfallTable({ bars }: { readonly bars: readonly Bar[] }) {
  return (
    <ScrollBox className="scroll-x">
      <table className={styles.table}>
        <caption className="visually-hidden">{t`Phases and calls of this run`}</caption>
        <thead>
          <tr>
            {[t`What`, t`Target`, t`System`, t`Began`, t`Took`, t`Status`, t`Attempt`, t`Note`].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id} data-level={bar.level}>
              <th scope="row">{bar.label}</th>
              <td>{bar.target ?? ""}</td>
              <td>{bar.level > 0 ? bar.kind : ""}</td>
              <td>{signedDuration(bar.from)}</td>
              <td>{formatDuration(Math.max(0, bar.to - bar.from))}</td>
              <td>{bar.step?.status ?? ""}</td>
              <td>{bar.step?.attempt ?? ""}</td>
              <td>
                <Notes bar={bar} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function signedDuration(ms: number): string {
  return ms < 0 ? t`${formatDuration(-ms)} before` : `+${formatDuration(ms)}`;
}

function Notes({ bar: { failed, step, tries, critical } }: { readonly bar: Bar }) {
  const { error = "", sharedBy = 1 } = step ?? {};
  const further = [
    tries === undefined ? "" : triesText(tries),
    critical ? t`critical path` : "",
    sharedBy > 1 ? t`shared by ${sharedBy} lookups` : "",
  ].filter((note) => note !== "");
  return (
    <>
      {failed ? error === "" ? t`failed` : <CallError text={error} /> : null}
      {failed && further.length > 0 ? "; " : null}
      {further.join("; ")}
    </>
  );
}

/** Everything recorded about the selected bar. */
function SpanDetails({ bar }: { readonly bar: Bar }) {
  const { step } = bar;
  return (
    <section
      className={`grid gap-3 pad-4 sunken ${styles.details}`}
      aria-label={t`Details of ${bar.label}`}
    >
      <h2 className="body-size bold mono">{bar.label}</h2>
      <Facts>
        <Fact label={t`Took`}>{formatDuration(Math.max(0, bar.to - bar.from))}</Fact>
        {bar.tries === undefined ? null : <Fact label={t`Sent`}>{triesText(bar.tries)}</Fact>}
        {step === undefined ? null : <CallFacts step={step} />}
      </Facts>
      {step?.error === undefined ? null : (
        <p className="failure">
          <CallError text={step.error} />
        </p>
      )}
      {step?.body === undefined ? null : <JsonView value={step.body} label={t`Answer`} />}
    </section>
  );
}

function CallFacts({ step }: { readonly step: Step }) {
  return (
    <>
      <Fact label={t`Target`}>{step.target}</Fact>
      <Fact label={t`Status`}>{step.status === undefined ? t`none` : String(step.status)}</Fact>
      <Fact label={t`Attempt`}>{String(step.attempt)}</Fact>
      {step.limiterWaitMs > 0 ? (
        <Fact label={t`Waited for the limit`}>{formatDuration(step.limiterWaitMs)}</Fact>
      ) : null}
      {step.sharedBy > 1 ? (
        <Fact label={t`Shared`}>{t`one call for ${step.sharedBy} lookups`}</Fact>
      ) : null}
      {step.requestId === undefined ? null : (
        <Fact label={t`Request`}>
          <code>{step.requestId}</code>
          <CopyButton text={step.requestId} label={t`Copy the request ID`} />
        </Fact>
      )}
    </>
  );
}
