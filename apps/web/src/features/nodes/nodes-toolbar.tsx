"use client";
import { DRIFTS } from "@cloudwright/core/model/state";
import type { NodesPage } from "@cloudwright/store/views";
import { useCallback } from "react";
import { Button } from "../../components/button.tsx";
import { ChoiceMenu } from "../../components/choice-menu.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { SearchBox } from "../../components/search-box.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { nodeColumns } from "./node-columns.tsx";
import { FAULTS, isFiltered, type NodesView, toggleFaults, withoutFilters } from "./nodes-url.ts";

export function NodesToolbar({
  cluster,
  view,
  answer,
  push,
  replace,
}: {
  readonly cluster: string;
  readonly view: NodesView;
  readonly answer: NodesPage | undefined;
  readonly push: ChangeView<NodesView>;
  readonly replace: ChangeView<NodesView>;
}) {
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <div className={page.toolbar}>
      <SearchBox
        label="Filter nodes"
        placeholder="Name, address or provider ID"
        value={view.text}
        onChange={onText}
      />
      <Button
        active={view.states.join() === FAULTS.join()}
        aria-pressed={view.states.join() === FAULTS.join()}
        onClick={() => push(toggleFaults)}
      >
        Faults only
      </Button>
      <ChoiceMenu
        label="Zone"
        choices={asChoices(answer?.zones)}
        chosen={new Set(view.zones)}
        onToggle={(zone) => push((now) => ({ ...now, zones: toggled(now.zones, zone) }))}
      />
      <ChoiceMenu
        label="Type"
        choices={asChoices(answer?.types)}
        chosen={new Set(view.types)}
        onToggle={(type) => push((now) => ({ ...now, types: toggled(now.types, type) }))}
      />
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
          title="Nodes for this reason only. Press to leave it."
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
        <ColumnsMenu table="nodes" columns={nodeColumns(cluster)} />
      </span>
    </div>
  );
}

function nextDrift(view: NodesView, id: string): NodesView["drift"] {
  return view.drift === id ? undefined : DRIFTS.find((drift) => drift === id);
}

function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

function asChoices(values: readonly string[] | undefined) {
  return (values ?? []).map((value) => ({ id: value, label: value }));
}
