"use client";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
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
        <List {...{ cluster, view, push, replace, found }} />
      </Tabs>
    </div>
  );
}

function List(props: TakeoverListProps) {
  switch (props.view.list) {
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
