"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import compare from "../../../components/facts/compare-table.module.css";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { ScrollBox } from "../../../components/scroll-edges/scroll-edges.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { comparePeers, type PeerFact } from "./compare-peers.ts";
import styles from "./facts-tab.module.css";

/** The node beside a healthy one of the same type. */
export function CompareTab({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const api = useApi();
  const { name, instanceType } = node.row;
  const healthy = useQuery(
    api.nodes.list.queryOptions(
      {
        cluster,
        filter: { states: ["ok"], types: [instanceType ?? ""] },
        sort: { by: "name", descending: false },
        limit: 2,
      },
      { enabled: instanceType !== undefined },
    ),
  );
  if (instanceType === undefined) {
    return (
      <EmptyState isCard title={t`The type of this node is not known`}>
        {t`It is compared with a healthy node of the same instance type, once the cloud has
          reported the type.`}
      </EmptyState>
    );
  }
  if (healthy.data === undefined) return <Pending isCard query={healthy} />;
  const peer = healthy.data.rows.find((row) => row.name !== name);
  if (peer === undefined) {
    return (
      <EmptyState isCard title={t`No other node of type ${instanceType} is OK`}>
        <Link href={addresses.nodes(cluster)}>{t`Show all nodes`}</Link>
      </EmptyState>
    );
  }
  return <Beside node={node} peer={peer.name} />;
}

function Beside({ node, peer }: { readonly node: NodeDetail; readonly peer: string }) {
  const cluster = useClusterId();
  const api = useApi();
  const other = useQuery(api.nodes.byName.queryOptions({ cluster, name: peer }));
  if (other.data === undefined) return <Pending isCard query={other} />;
  const rows = comparePeers(node, other.data);
  const count = rows.filter(({ differs }) => differs).length;
  const link = <Link href={addresses.node(cluster, peer)}>{peer}</Link>;
  const type = node.row.instanceType;
  return (
    <div className={page.card}>
      <div className={compare.bar}>
        <p>
          {count === 0
            ? mixed`No difference from ${link}, which is OK and also of type ${type}.`
            : mixed`${count} of ${rows.length} facts differ from ${link}, which is OK and also of
                type ${type}.`}
        </p>
      </div>
      <ScrollBox className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">
            {mixed`Facts of ${node.row.name} and of ${peer}`}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t`Fact`}</th>
              <th scope="col">{node.row.name}</th>
              <th scope="col">{peer}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.label} row={row} names={[node.row.name, peer]} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function Row({
  row,
  names: [node, peer],
}: {
  readonly row: PeerFact;
  readonly names: readonly [node: string, peer: string];
}) {
  return (
    <tr data-differs={row.differs}>
      <th scope="row">
        {row.label}
        {row.differs ? <span className="visually-hidden">{t` (differs)`}</span> : null}
      </th>
      <Value source={node} value={row.node} isWrong={row.differs} />
      <Value source={peer} value={row.peer} isWrong={false} />
    </tr>
  );
}

function Value({
  source,
  value,
  isWrong,
}: {
  readonly source: string;
  readonly value: string;
  readonly isWrong: boolean;
}) {
  return (
    <td data-source={source} data-wrong={isWrong}>
      {value === "" ? <span className={compare.nothing}>{t`nothing`}</span> : <code>{value}</code>}
    </td>
  );
}
