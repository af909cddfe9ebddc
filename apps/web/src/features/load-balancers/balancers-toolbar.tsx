"use client";
import { DRIFTS } from "@cloudwright/core/model/state";
import { useCallback } from "react";
import { Button } from "../../components/button.tsx";
import { ChoiceMenu } from "../../components/choice-menu.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { balancerColumns } from "./balancer-columns.tsx";
import type { ListTabProps } from "./list-tab-props.ts";
import {
  type BalancersView,
  FAULTS,
  isFiltered,
  toggleFaults,
  withoutFilters,
} from "./load-balancers-url.ts";

export function BalancersToolbar({ cluster, view, push, replace }: ListTabProps) {
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const onlyFaults = view.states.join() === FAULTS.join();
  return (
    <div className={page.toolbar}>
      <SearchBox
        label="Filter load balancers"
        placeholder="Service, address or id"
        value={view.text}
        onChange={onText}
      />
      <Button active={onlyFaults} aria-pressed={onlyFaults} onClick={() => push(toggleFaults)}>
        Faults only
      </Button>
      <ChoiceMenu
        label="Drift"
        choices={DRIFTS.map((id) => ({ id, label: DRIFT_PRESENTATION[id].label }))}
        chosen={new Set(view.drift === undefined ? [] : [view.drift])}
        onToggle={(id) => push((now) => ({ ...now, drift: nextDrift(now, id) }))}
      />
      {view.reason === undefined ? null : (
        <Button
          active
          aria-pressed="true"
          title="Load balancers for this reason only. Press to leave it."
          onClick={() => push((now) => ({ ...now, reason: undefined }))}
        >
          Reason · {view.reason}
        </Button>
      )}
      {isFiltered(view) ? (
        <Button look="quiet" onClick={() => push(withoutFilters)}>
          Clear filters
        </Button>
      ) : null}
      <span className={page.wideOnly}>
        <span className={page.push} />
        <ColumnsMenu table="load-balancers" columns={balancerColumns(cluster)} />
      </span>
    </div>
  );
}

function nextDrift(view: BalancersView, id: string): BalancersView["drift"] {
  return view.drift === id ? undefined : DRIFTS.find((drift) => drift === id);
}
