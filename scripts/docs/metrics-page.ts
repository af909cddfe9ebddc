import { Registry } from "prom-client";
import { readCertificatesAtScrape } from "../../apps/controller/src/metrics/certificate-metrics.ts";
import { readControlsAtScrape } from "../../apps/controller/src/metrics/control-metrics.ts";
import { createDeclaredMetrics } from "../../apps/controller/src/metrics/declared-metrics.ts";
import { createHealthMetrics } from "../../apps/controller/src/metrics/health-metrics.ts";
import {
  createKubeMetrics,
  createLookupMetrics,
} from "../../apps/controller/src/metrics/kube-metrics.ts";
import { createOwnMetrics } from "../../apps/controller/src/metrics/own-metrics.ts";
import { readPermissionsAtScrape } from "../../apps/controller/src/metrics/permission-metrics.ts";
import { createProcessMetrics } from "../../apps/controller/src/metrics/process-metrics.ts";
import { createQueueMetrics } from "../../apps/controller/src/metrics/queue-metrics.ts";
import { readQuotasAtScrape } from "../../apps/controller/src/metrics/quota-metrics.ts";
import { readSourceAtScrape } from "../../apps/controller/src/metrics/source-metrics.ts";
import { createManagerMetrics } from "../../apps/controller/src/metrics/upstream-metrics.ts";
import { createWebhookMetrics } from "../../apps/controller/src/metrics/webhook-metrics.ts";
import { MODULES } from "../../apps/controller/src/modules.ts";

export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Returns every metric that a controller process can expose, except those of Node.js and of upstream's managers for single clouds. */
export function documentedMetrics(): readonly DocumentedMetric[] {
  const registry = new Registry();
  const process = new Registry();
  createProcessMetrics(process);
  createQueueMetrics(registry);
  createKubeMetrics(registry);
  createLookupMetrics(registry);
  createWebhookMetrics(registry);
  createManagerMetrics(registry);
  createOwnMetrics(registry).read({
    spoolBytes: () => 0,
    ledgerLagMs: () => 0,
    watchSilentMs: () => 0,
    recordsRefused: () => 0,
    recordsDropped: () => 0,
    cloudAllowedPerSecond: () => undefined,
  });
  readCertificatesAtScrape(registry, () => []);
  readPermissionsAtScrape(registry, () => []);
  readQuotasAtScrape(registry, () => []);
  readSourceAtScrape(registry, () => ({ isUp: true, sentence: "", since: 0, restarts: 0 }));
  readControlsAtScrape(registry, { status: () => undefined, controllers: () => [] });
  const declared = createDeclaredMetrics(
    registry,
    MODULES.flatMap(({ metrics }) => metrics),
  );
  for (const gauge of MODULES.flatMap(({ gauges = [] }) => gauges)) declared.gauge(gauge, () => []);
  return [
    ...metricsOf(registry),
    ...metricsOf(process).filter(({ name }) => !/^(process|nodejs)_/.test(name)),
    ...metricsOf(createHealthMetrics().registry),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function metricsOf(registry: Registry): readonly DocumentedMetric[] {
  return registry.getMetricsAsArray().map((metric) => {
    const {
      name,
      help,
      type,
      labelNames = [],
    } = metric as unknown as {
      readonly name: string;
      readonly help: string;
      readonly type?: string;
      readonly labelNames?: readonly string[];
    };
    return { name, help, type: type ?? metric.constructor.name.toLowerCase(), labels: labelNames };
  });
}

/** Returns docs/metrics.md, written only from the metrics. */
export function metricsPage(): string {
  const all = documentedMetrics();
  const [ours, upstreams] = [true, false].map((isOurs) =>
    all.filter(({ name }) => name.startsWith("cloudwright_") === isOurs),
  );
  return `# Metrics

The controller serves these on \`/metrics\` of its secure port, and those of its health checks on \`/metrics/slis\`. Ready-made alerts and a
board are described in [monitoring.md](monitoring.md).

## Under upstream's names

Dashboards and alerts that were made for upstream's cloud controller manager find these as they are. With the provider \`openstack\` there are also
\`openstack_api_requests_total\`, \`openstack_api_request_errors_total\` and \`openstack_api_request_duration_seconds\` by \`request\`, and
\`cloudprovider_openstack_reconcile_total\`, \`…_errors_total\` and \`…_duration_seconds\` by \`operation\`.

${table(upstreams ?? [])}

## Cloudwright's own

${table(ours ?? [])}

## Of the process

\`process_*\` and \`nodejs_*\` as prom-client names them: CPU, memory, file descriptors, event loop lag, garbage collection.
`;
}

function table(metrics: readonly DocumentedMetric[]): string {
  const rows = metrics.map(
    ({ name, type, help, labels }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help.replaceAll("|", "\\|")} |`,
  );
  return `| metric | type | labels | what it says |\n|---|---|---|---|\n${rows.join("\n")}`;
}
