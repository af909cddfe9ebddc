"use client";
import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Link } from "../../components/link.tsx";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { clusterState } from "../clusters/cluster-state.ts";

/** The menu of the cluster switcher. */
export function ClusterItems({
  button,
  cluster,
}: {
  readonly button: MenuButton;
  readonly cluster: string;
}) {
  const api = useApi();
  const { data, dataUpdatedAt } = useQuery(api.clusters.list.queryOptions());
  return (
    <OpenMenu button={button} position="bottom-start" width={280}>
      <Menu.Label>Clusters</Menu.Label>
      {(data ?? []).map((other) => (
        <Menu.Item
          key={other.id}
          component={Link}
          href={addresses.overview(other.id)}
          aria-current={other.id === cluster ? "true" : undefined}
          leftSection={
            <StatusIcon status={STATE_PRESENTATION[clusterState(other, dataUpdatedAt)]} size={14} />
          }
        >
          {other.name}
        </Menu.Item>
      ))}
    </OpenMenu>
  );
}
