"use client";
import { t } from "@cloudwright/core/model/language/text";
import { DRIFTS } from "@cloudwright/core/model/state";
import { type ReactNode, useCallback } from "react";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { SearchBox } from "../../components/search-box.tsx";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import {
  type ListUrl,
  type ListView,
  showsFaultsOnly,
  toggleDrift,
  toggleFaults,
} from "./list-view.ts";
import { filterLabel } from "./list-words.ts";

interface ListToolbarProps<View extends ListView> {
  /** The plural `load balancers`, for the filter's label. */
  readonly things: string;
  /** Names the fields that the text is searched in. */
  readonly placeholder: string;
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
  readonly url: ListUrl<View>;
  /** More filters, between the drift and the active ones. */
  readonly children?: ReactNode;
  /** The layout switch, at the far end; not on narrow screens. */
  readonly layout: ReactNode;
  /** The list's other tools, at the far end. */
  readonly tools: ReactNode;
}

/** The filters that all lists of managed objects share. */
export function ListToolbar<View extends ListView>(props: ListToolbarProps<View>) {
  const { things, placeholder, view, push, replace, children, layout, tools } = props;
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const onlyFaults = showsFaultsOnly(view);
  return (
    <div className={page.toolbar}>
      <SearchBox
        label={filterLabel(things)}
        placeholder={placeholder}
        value={view.text}
        onChange={onText}
      />
      <Button active={onlyFaults} aria-pressed={onlyFaults} onClick={() => push(toggleFaults)}>
        {t`Faults only`}
      </Button>
      <ChoiceMenu
        label={t`Drift`}
        choices={DRIFTS.map((id) => ({ id, label: DRIFT_PRESENTATION[id].label }))}
        chosen={new Set(view.drift === undefined ? [] : [view.drift])}
        onToggle={(id) => push((now) => toggleDrift(now, id))}
      />
      {children}
      <ChosenReason {...props} />
      <span className={page.wideOnly}>
        <span className="push" />
        {layout}
      </span>
      {tools}
    </div>
  );
}

/** The reason that a link from another page filters by, with buttons to clear it or all filters. */
function ChosenReason<View extends ListView>({ view, push, url }: ListToolbarProps<View>) {
  return (
    <>
      {view.reason === undefined ? null : (
        <ChosenOnly
          title={t`Only those with this reason. Press to clear the filter.`}
          onLeave={() => push((now) => ({ ...now, reason: undefined }))}
        >
          {mixed`Reason · ${view.reason}`}
        </ChosenOnly>
      )}
      {url.isFiltered(view) ? (
        <Button appearance="quiet" onClick={() => push(url.withoutFilters)}>
          {t`Clear filters`}
        </Button>
      ) : null}
    </>
  );
}

/** A filter set by another page's link; pressing it clears it. */
export function ChosenOnly({
  title,
  onLeave,
  children,
}: {
  readonly title: string;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Button active aria-pressed="true" title={title} onClick={onLeave}>
      {children}
    </Button>
  );
}
