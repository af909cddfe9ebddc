import type { MetricDeclaration, MetricEffect } from "@cloudwright/core/reconcile/effects";
import { Counter, Histogram, type Registry } from "prom-client";

/** The metrics that controllers declare. */
export interface DeclaredMetrics {
  /** Throws when nobody has declared the metric. */
  record(effect: Omit<MetricEffect, "kind">): void;
}

export function createDeclaredMetrics(
  registry: Registry,
  declarations: readonly MetricDeclaration[],
): DeclaredMetrics {
  const byName = new Map(
    declarations.map((declaration) => [declaration.name, instrumentOf(registry, declaration)]),
  );
  return {
    record: ({ name, value, labels = {} }) => {
      const record = byName.get(name);
      if (record === undefined) throw new Error(`No controller declares the metric ${name}.`);
      record(labels, value);
    },
  };
}

type Record = (labels: NonNullable<MetricEffect["labels"]>, value: number) => void;

function instrumentOf(
  registry: Registry,
  { name, help, type, labels = [], buckets = [] }: MetricDeclaration,
): Record {
  const shared = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === "counter") {
    const counter = new Counter(shared);
    return (values, value) => counter.inc(values, value);
  }
  const histogram = new Histogram({ ...shared, buckets: [...buckets] });
  return (values, value) => histogram.observe(values, value);
}
