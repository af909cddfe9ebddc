"use client";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { ListWaiting } from "../../platform/lists/loaded-list.tsx";
import { AdoptedList } from "./adopted-list.tsx";
import { ReportedList } from "./reported-list.tsx";
import { takeoverSentence } from "./takeover-messages.ts";
import type { TakeoverListProps } from "./takeover-parts.tsx";
import { type TakeoverList, takeoverUrl } from "./takeover-url.ts";
import { WaitingList } from "./waiting-list.tsx";

/** What an earlier manager left: what waits for consent, what was adopted, and what is only reported. */
export function TakeoverPage({ cluster }: { readonly cluster: string }) {
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(takeoverUrl);
  const found = useQuery(api.takeover.byCluster.queryOptions({ cluster }));
  useShortcuts({ r: () => void found.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const counts = found.data?.counts;
  return (
    <div className={page.page}>
      <PageHead
        title="Takeover"
        sentence={counts === undefined ? undefined : takeoverSentence(counts)}
      />
      <DroppedNote dropped={dropped} />
      <Tabs
        label="Lists"
        tabs={tabsOf(counts)}
        current={view.list}
        onChange={(list) => push((now) => ({ ...now, list }))}
      >
        <div className={page.toolbar}>
          <SearchBox
            label="Filter by name"
            placeholder="Service, node or cloud id"
            value={view.text}
            onChange={onText}
          />
          <p className="quiet small">{ABOUT[view.list]}</p>
        </div>
        <div className={page.tableCard}>
          {found.data === undefined ? (
            <ListWaiting query={found} />
          ) : (
            <List
              {...{ cluster, list: view.list, text: view.text, takeover: found.data }}
              onClear={() => push((now) => ({ ...now, text: "" }))}
            />
          )}
        </div>
      </Tabs>
    </div>
  );
}

const ABOUT: Readonly<Record<TakeoverList, string>> = {
  waiting:
    "Each of these has only one proof of its owner: it is not changed, and no second one is created. A node's next route is listed once this one is decided.",
  adopted:
    "What Cloudwright has gone on with: by two proofs by itself, all else by somebody's consent.",
  reported:
    "Routes that --adopt=report leaves as they are. Load balancers that it leaves wait for consent.",
};

function List({ list, ...props }: TakeoverListProps & { readonly list: TakeoverList }) {
  switch (list) {
    case "waiting":
      return <WaitingList {...props} />;
    case "adopted":
      return <AdoptedList {...props} />;
    case "reported":
      return <ReportedList {...props} />;
  }
}

function tabsOf(counts: TakeoverView["counts"] | undefined): readonly Tab<TakeoverList>[] {
  const note = (count: number | undefined) =>
    count === undefined || count === 0 ? undefined : formatCount(count);
  const { waiting, adopted, proven, reported } = counts ?? {};
  return [
    {
      id: "waiting",
      label: "Waiting",
      note: note(waiting === undefined ? undefined : waiting.balancers + waiting.routes),
    },
    {
      id: "adopted",
      label: "Adopted",
      note: note(
        adopted === undefined
          ? undefined
          : adopted.proofs + adopted.consent + adopted.flag + (proven ?? 0),
      ),
    },
    { id: "reported", label: "Only reported", note: note(reported) },
  ];
}
