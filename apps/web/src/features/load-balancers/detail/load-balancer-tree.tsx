"use client";
import { partName, partValue } from "@cloudwright/core/model/language/cloud-words";
import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerDetail } from "@cloudwright/core/model/records/load-balancer-record";
import type { LoadBalancerRow } from "@cloudwright/store/views/load-balancers";
import type { ReactNode } from "react";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import {
  DRIFT_PRESENTATION,
  type Presentation,
  STATE_PRESENTATION,
} from "../../../components/presentation/states.ts";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import {
  countVerdicts,
  membersSentence,
  VERDICT_PRESENTATION,
} from "../../../platform/objects/members.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { aspectRows, listenerAspect } from "./aspects.ts";
import styles from "./load-balancer-page.module.css";

/** The status of every part of what is gone: it waits for nothing, and has drifted from nothing. */
const GONE = STATE_PRESENTATION.gone;

/** Service, load balancer, listeners and nodes, each with the worst state below it. */
export function LoadBalancerTree({
  row,
  detail,
}: {
  readonly row: LoadBalancerRow;
  readonly detail: LoadBalancerDetail;
}) {
  const cluster = useClusterId();
  const { actual, ports } = detail;
  const isGone = row.state === "gone";
  return (
    <section className={page.card} aria-labelledby="structure">
      <h2 id="structure" className="card-title">
        {t`From Service to nodes`}
      </h2>
      <ul className={`pad-3-4 ${styles.tree}`}>
        <Branch
          status={STATE_PRESENTATION[row.state]}
          title={`Service ${row.name}`}
          note={row.addresses.length === 0 ? t`publishes no address` : row.addresses.join(", ")}
        >
          <Branch
            status={isGone ? GONE : loadBalancerStatus(detail)}
            title={actual === undefined ? t`No load balancer` : t`Load balancer ${actual.id}`}
            note={
              actual === undefined ? t`in the cloud` : `${partValue(actual.type)}, ${actual.state}`
            }
          >
            {ports.map((port) => (
              <Branch
                key={`${port.port}/${port.protocol}`}
                status={isGone ? GONE : listenerStatus(detail, port)}
                title={t`Listener ${port.port}/${port.protocol}`}
                note={portText(port)}
              />
            ))}
            {(actual?.parts ?? []).map(({ kind, id }) => (
              <Branch
                key={id}
                status={isGone ? GONE : DRIFT_PRESENTATION.inStep}
                title={partName(kind)}
                note={id}
              />
            ))}
            <Branch
              status={isGone ? GONE : nodesStatus(detail)}
              title={
                <Link href={addresses.balancer(cluster, row.name, "members")}>
                  {countOf(detail.members.length, "node")}
                </Link>
              }
              note={membersSentence(detail.members)}
            />
          </Branch>
        </Branch>
      </ul>
    </section>
  );
}

function portText({ name, nodePort }: LoadBalancerDetail["ports"][number]): string {
  return name === ""
    ? t`to port ${nodePort} of each node`
    : t`${name}, to port ${nodePort} of each node`;
}

function Branch({
  status,
  title,
  note,
  children,
}: {
  readonly status: Presentation;
  readonly title: ReactNode;
  readonly note: string;
  readonly children?: ReactNode;
}) {
  return (
    <li>
      <span className={`flex centred wrap break ${styles.branch}`}>
        <StatusIcon status={status} size={14} />
        <span className="medium">{title}</span>
        <span className="visually-hidden">, {status.label}:</span>
        <span className="quiet">{note}</span>
      </span>
      {children === undefined ? null : <ul>{children}</ul>}
    </li>
  );
}

function loadBalancerStatus(detail: LoadBalancerDetail): Presentation {
  if (detail.actual === undefined) return STATE_PRESENTATION.waiting;
  const nodes = nodesStatus(detail);
  if (nodes === STATE_PRESENTATION.stuck) return nodes;
  return statusOf(aspectRows(detail).some(({ differs }) => differs));
}

function listenerStatus(
  detail: LoadBalancerDetail,
  port: LoadBalancerDetail["ports"][number],
): Presentation {
  return statusOf(listenerAspect(detail, port)?.differs ?? detail.actual === undefined);
}

function statusOf(differs: boolean): Presentation {
  return differs ? DRIFT_PRESENTATION.drifted : DRIFT_PRESENTATION.inStep;
}

/** Without a single node nothing is served, whatever the reason. */
function nodesStatus({ members }: LoadBalancerDetail): Presentation {
  const counts = countVerdicts(members);
  if (counts.in + counts.soon === 0) return STATE_PRESENTATION.stuck;
  return counts.soon + counts.leaving > 0 ? VERDICT_PRESENTATION.soon : VERDICT_PRESENTATION.in;
}
