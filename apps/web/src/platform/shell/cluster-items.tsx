"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Menu } from "@mantine/core";
import { usePathname, useSearchParams } from "next/navigation";
import { Link } from "../../components/link.tsx";
import type { MenuButton } from "../../components/menu/lazy-menu.tsx";
import { OpenMenu } from "../../components/menu/open-menu.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { inOtherCluster } from "../../components/url/other-cluster.ts";
import { clusterState } from "../live/cluster-state.ts";
import { useClusters } from "../live/use-cluster.ts";

/** The menu of the cluster switcher: the same page and filter in another cluster. */
export function ClusterItems({
  button,
  cluster,
}: {
  readonly button: MenuButton;
  readonly cluster: string;
}) {
  const { data, readAt } = useClusters();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  return (
    <OpenMenu button={button} position="bottom-start" width={280}>
      <Menu.Label>{t`Clusters`}</Menu.Label>
      {(data ?? []).map((other) => (
        <Menu.Item
          key={other.id}
          component={Link}
          href={inOtherCluster({ pathname, search }, other.id)}
          aria-current={other.id === cluster ? "true" : undefined}
          leftSection={
            <StatusIcon status={STATE_PRESENTATION[clusterState(other, readAt)]} size={14} />
          }
        >
          {other.name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item component={Link} href={addresses.clusters()}>
        {t`All clusters`}
      </Menu.Item>
    </OpenMenu>
  );
}
