"use client";
import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { jumpsFor } from "./jumps.ts";
import { PaletteHighlight } from "./palette-highlight.tsx";
import { paletteStore } from "./palette-store.ts";

const MOST_FOUND = 8;

/** Ctrl+K: go to a page, find a node or a Service by name, address or the cloud's id, open a run or an action by its id. */
export function Palette({ cluster }: { readonly cluster: string }) {
  const [query, setQuery] = useState("");
  const router = useRouter();
  const nodes = useFoundNodes(cluster, query);
  const balancers = useFoundBalancers(cluster, query);
  const go = (href: string) => () => router.push(href);
  const jumps = jumpsFor(cluster, query);
  const isEmpty = jumps.length === 0 && nodes.length === 0 && balancers.length === 0;
  const found = [...nodes, ...balancers].map(({ uid }) => uid);
  const entries = [...found, ...jumps.map(({ href }) => href)].join();
  const isMoved = useRef(false);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowDown" || key === "ArrowUp") isMoved.current = true;
  };
  return (
    <Spotlight.Root
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      shortcut={["mod + K"]}
      tagsToIgnore={[]}
      maxHeight={420}
      scrollable
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <Modal.Title className="visually-hidden">Search or jump</Modal.Title>
      <Spotlight.Search
        placeholder="Search nodes and Services, paste a run id, or go to a page"
        aria-label="Search or jump"
        onKeyDown={onKeyDown}
      />
      <Spotlight.ActionsList>
        {nodes.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Nodes">
            {nodes.map((node) => (
              <Spotlight.Action
                key={node.uid}
                label={node.name}
                description={node.providerID ?? STATE_PRESENTATION[node.state].label}
                leftSection={<StatusIcon status={STATE_PRESENTATION[node.state]} />}
                onClick={go(addresses.node(cluster, node.name))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {balancers.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Load balancers">
            {balancers.map((balancer) => (
              <Spotlight.Action
                key={balancer.uid}
                label={balancer.name}
                description={balancer.addresses[0] ?? STATE_PRESENTATION[balancer.state].label}
                leftSection={<StatusIcon status={STATE_PRESENTATION[balancer.state]} />}
                onClick={go(addresses.balancer(cluster, balancer.name))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {jumps.length === 0 ? null : (
          <Spotlight.ActionsGroup label="Go to">
            {jumps.map(({ label, href }) => (
              <Spotlight.Action key={href} label={label} onClick={go(href)} />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {isEmpty ? <Spotlight.Empty>Nothing found for “{query}”</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
      <PaletteHighlight store={paletteStore} entries={entries} query={query} isMoved={isMoved} />
    </Spotlight.Root>
  );
}

function useFoundNodes(cluster: string, query: string) {
  const api = useApi();
  const [text] = useDebouncedValue(query.trim(), 150);
  const { data } = useQuery(
    api.nodes.list.queryOptions(
      {
        cluster,
        filter: { text },
        sort: { by: "state", descending: false },
        limit: MOST_FOUND,
      },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  return text === "" || query.trim() === "" ? [] : (data?.rows ?? []);
}

function useFoundBalancers(cluster: string, query: string) {
  const api = useApi();
  const [text] = useDebouncedValue(query.trim(), 150);
  const { data } = useQuery(
    api.balancers.list.queryOptions(
      {
        cluster,
        filter: { text },
        sort: { by: "state", descending: false },
        limit: MOST_FOUND,
      },
      { enabled: text !== "", placeholderData: keepPreviousData },
    ),
  );
  return text === "" || query.trim() === "" ? [] : (data?.rows ?? []);
}
