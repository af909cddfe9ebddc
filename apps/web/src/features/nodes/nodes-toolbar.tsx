"use client";
import type { NodesPage } from "@cloudwright/store/views";
import { ChoiceMenu } from "../../components/choice-menu.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { ListToolbar } from "../../platform/lists/list-toolbar.tsx";
import { nodeColumns } from "./node-columns.tsx";
import { isFiltered, type NodesView, withoutFilters } from "./nodes-url.ts";

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
  return (
    <ListToolbar
      things="nodes"
      placeholder="Name, address or provider ID"
      view={view}
      push={push}
      replace={replace}
      onClear={isFiltered(view) ? () => push(withoutFilters) : undefined}
      layout={<ColumnsMenu table="nodes" columns={nodeColumns(cluster)} />}
    >
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
    </ListToolbar>
  );
}

function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

function asChoices(values: readonly string[] | undefined) {
  return (values ?? []).map((value) => ({ id: value, label: value }));
}
