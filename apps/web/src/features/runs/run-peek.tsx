"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { advice } from "@cloudwright/core/model/sentence";
import type { RunDetail } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { causeLanguage, SentenceText } from "../../components/evidence/sentence-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ObjectLink } from "../../components/object-link.tsx";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { useCause } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { PlanTab } from "./detail/plan-tab.tsx";
import { RunFacts, RunOutcome } from "./detail/run-header.tsx";

/** The first things that a run's page says: how it ended and why, its cost, and its plan in sentences. */
export function RunPeek({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cluster = useClusterId();
  const api = useApi();
  const run = useQuery(api.runs.byId.queryOptions({ cluster, id }));
  return (
    <FetchedPeek
      title={titleOf(run.data)}
      href={addresses.run(cluster, id)}
      onClose={onClose}
      query={run}
    >
      {(data) => <RunSummary run={data} />}
    </FetchedPeek>
  );
}

function titleOf(run: RunDetail | undefined): string {
  return run === undefined ? t`Run` : t`Run of ${run.row.object.name}`;
}

function RunSummary({ run }: { readonly run: RunDetail }) {
  const { row } = run;
  const causeText = useCause();
  return (
    <>
      <p className="row apart">
        <RunOutcome row={row} />
        <span>
          {mixed`${controllerOf(row.controller).label} of ${<ObjectLink object={row.object} />}`}
        </span>
      </p>
      {row.reason === undefined ? null : (
        <p className="break lead second" lang={causeLanguage(row.reason)}>
          <SentenceText text={t`${causeText(row.reason)}. ${advice(row.reason)}`} />
        </p>
      )}
      <RunFacts run={run} />
      <PlanTab run={run} />
    </>
  );
}
