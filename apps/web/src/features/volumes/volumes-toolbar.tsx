"use client";
import { DRIFTS } from "@cloudwright/core/model/state";
import { useCallback } from "react";
import { Button } from "../../components/button.tsx";
import { ChoiceMenu } from "../../components/choice-menu.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { SearchBox } from "../../components/search-box.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { volumeColumns } from "./volume-columns.tsx";
import {
  FAULTS,
  isFiltered,
  toggleFaults,
  type VolumesView,
  withoutFilters,
} from "./volumes-url.ts";

export function VolumesToolbar({
  cluster,
  view,
  push,
  replace,
}: {
  readonly cluster: string;
  readonly view: VolumesView;
  readonly push: ChangeView<VolumesView>;
  readonly replace: ChangeView<VolumesView>;
}) {
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const onlyFaults = view.states.join() === FAULTS.join();
  return (
    <div className={page.toolbar}>
      <SearchBox
        label="Filter volumes"
        placeholder="Volume, disk, claim or zone"
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
          title="Volumes for this reason only. Press to leave it."
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
        <ColumnsMenu table="volumes" columns={volumeColumns(cluster)} />
      </span>
    </div>
  );
}

function nextDrift(view: VolumesView, id: string): VolumesView["drift"] {
  return view.drift === id ? undefined : DRIFTS.find((drift) => drift === id);
}
