"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { Step } from "@cloudwright/core/model/run";
import { CopyButton } from "../../../components/copy-button.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import styles from "./waterfall.module.css";
import type { Bar } from "./waterfall.ts";

/** All that is recorded of the selected bar. */
export function SpanDetails({ bar }: { readonly bar: Bar }) {
  const { step } = bar;
  return (
    <section className={styles.details} aria-label={`Details of ${bar.label}`}>
      <h2 className={styles.detailsTitle}>{bar.label}</h2>
      <dl className={styles.facts}>
        <Fact label="Took" value={formatDuration(Math.max(0, bar.to - bar.from))} />
        {step === undefined ? null : <CallFacts step={step} />}
      </dl>
      {step?.error === undefined ? null : <p className={styles.error}>{step.error}</p>}
      {step?.body === undefined ? null : <JsonView value={step.body} label="Answer" />}
    </section>
  );
}

function CallFacts({ step }: { readonly step: Step }) {
  return (
    <>
      <Fact label="Target" value={step.target} />
      <Fact label="Status" value={step.status === undefined ? "none" : String(step.status)} />
      <Fact label="Attempt" value={String(step.attempt)} />
      {step.limiterWaitMs > 0 ? (
        <Fact label="Waited for the limit" value={formatDuration(step.limiterWaitMs)} />
      ) : null}
      {step.sharedBy > 1 ? (
        <Fact label="Shared" value={`one call for ${step.sharedBy} lookups`} />
      ) : null}
      {step.requestId === undefined ? null : (
        <div>
          <dt>Request</dt>
          <dd>
            <code>{step.requestId}</code>
            <CopyButton text={step.requestId} label="Copy the request id" />
          </dd>
        </div>
      )}
    </>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
