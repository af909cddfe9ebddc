"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { ControllerUse } from "@cloudwright/core/model/records/budget-record";
import type { BudgetView } from "@cloudwright/store/views/budget";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { ClockText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useServerNow } from "../../platform/controls/countdown.tsx";
import type { ExportedView } from "../../platform/lists/export-address.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { shortController } from "../../platform/runs/run-grammar.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import { nextChecks, rateText } from "./budget-messages.ts";

/** The cost of each controller's runs, and of one check of every object. */
export function CostsPanel({
  view,
  exported,
}: {
  readonly view: BudgetView;
  /** For the page's time range. */
  readonly exported: ExportedView;
}) {
  const cluster = useClusterId();
  const { data, skewMs } = useCluster(cluster);
  const nextCheckOf = nextChecks(data?.leader, useServerNow(skewMs));
  return (
    <Panel
      title={t`By controller`}
      aside={<ExportMenu of={{ ...exported, list: "budget-costs" }} what={t`By controller`} />}
    >
      <FiguresTable
        label={t`By controller`}
        rows={view.controllers}
        rowKey={({ controller }) => controller}
        empty={t`No run was recorded in this time, as far as is known.`}
        columns={[
          {
            header: t`Controller`,
            cell: ({ controller }) => (
              <Link
                href={addresses.runsWithin(
                  cluster,
                  view,
                  `controller:${shortController(controller)} calls>0`,
                )}
                prefetch={false}
              >
                {controllerOf(controller).label}
              </Link>
            ),
          },
          { header: t`Runs recorded`, cell: ({ runs }) => formatCount(runs) },
          { header: t`Failed`, cell: ({ failed }) => formatCount(failed) },
          { header: t`Cloud calls`, cell: ({ cloudCalls }) => rateText(cloudCalls) },
          {
            header: t`Cloud calls a run`,
            cell: (use) => perRun(use.cloudCalls, use),
          },
          { header: t`API calls`, cell: ({ kubeCalls }) => formatCount(kubeCalls) },
          { header: t`API calls a run`, cell: (use) => perRun(use.kubeCalls, use) },
          { header: t`Full check`, cell: ({ controller }) => lookupText(view, controller) },
          {
            header: t`Next full check`,
            cell: ({ controller }) => <NextCheck at={nextCheckOf(controller)} />,
          },
        ]}
      />
      {isUnread(view, "resync") ? (
        <UnreadPart>{t`What a full check costs could not be read.`}</UnreadPart>
      ) : null}
      <p className="quiet small">
        {t`A call shared by several runs is split among them.`} {outsideText(view)}
      </p>
    </Panel>
  );
}

function NextCheck({ at }: { readonly at: number | undefined }) {
  return at === undefined ? "—" : <ClockText at={at} />;
}

function perRun(calls: number, { runs }: ControllerUse): string {
  return runs === 0 ? "—" : rateText(calls / runs);
}

function lookupText({ resync }: BudgetView, controller: ControllerUse["controller"]): string {
  const cost = resync.find((each) => each.controller === controller);
  if (cost === undefined || cost.objects === 0) return "—";
  return t`${countOf(cost.calls, "call")} for ${formatCount(cost.objects)}`;
}

/** Listings that serve no single run are counted for none. */
function outsideText({ cloud, controllers }: BudgetView): string {
  const all = cloud.operations.reduce((sum, { calls }) => sum + calls, 0);
  const inRuns = controllers.reduce((sum, { cloudCalls }) => sum + cloudCalls, 0);
  const outside = Math.max(0, Math.round(all - inRuns));
  if (outside === 0) return t`Every cloud call was made in a run.`;
  return outside === 1
    ? t`1 cloud call was made outside of runs, such as listings of everything that is ours.`
    : t`${formatCount(outside)} cloud calls were made outside of runs, such as listings of
        everything that is ours.`;
}
