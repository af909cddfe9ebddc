import type { GaugeDeclaration, GaugeValue } from "@cloudwright/core/controllers/controller-module";
import type { MetricDeclaration, MetricEffect } from "@cloudwright/core/reconcile/effects";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The metrics that controllers declare. */
export interface DeclaredMetrics {
  /** Throws if the metric has not been declared. */
  record(effect: Omit<MetricEffect, "kind">): void;
  /** Exposes the gauge from the first call on; each scrape reads it from the newest reader. */
  gauge(declaration: GaugeDeclaration, read: () => readonly GaugeValue[]): void;
}

export function createDeclaredMetrics(
  registry: Registry,
  declarations: readonly MetricDeclaration[],
): DeclaredMetrics {
  const byName = new Map(
    declarations.map((declaration) => [declaration.name, instrumentOf(registry, declaration)]),
  );
  return {
    gauge: gaugesOf(registry),
    record: ({ name, value, labels = {} }) => {
      const record = byName.get(name);
      if (record === undefined) throw new Error(`No controller declares the metric ${name}.`);
      record(labels, value);
    },
  };
}

function gaugesOf(registry: Registry): DeclaredMetrics["gauge"] {
  const readers = new Map<string, () => readonly GaugeValue[]>();
  return ({ name, help, labels = [] }, read) => {
    const isShown = readers.has(name);
    readers.set(name, read);
    if (isShown) return;
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const { value, labels: of = {} } of readers.get(name)?.() ?? []) this.set(of, value);
      },
    });
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
