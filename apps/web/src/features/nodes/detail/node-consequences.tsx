"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { CallError } from "../../../components/evidence/recorded-text.tsx";
import { RequestChip } from "../../../components/evidence/request-chip.tsx";
import { Fact, Facts } from "../../../components/facts/fact.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import page from "../../../components/page/page.module.css";
import { TimeText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { type FailedCall, failedCallOf, failedRunOf } from "./failed-call.ts";
import { useNodeLoadBalancers } from "./use-node-load-balancers.ts";
import { type Waiting, waitsForNode } from "./waits-for-node.ts";

/** The last call that failed for a node, and what waits for the node. Nothing for a healthy node. */
export function NodeConsequences({ node }: { readonly node: NodeDetail }) {
  if (node.goneAt !== undefined) return null;
  return (
    <>
      <LastFailedCall node={node} />
      <WaitsForNode node={node} />
    </>
  );
}

function LastFailedCall({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const api = useApi();
  const failed = failedRunOf(node);
  const run = useQuery(
    api.runs.byId.queryOptions(
      { cluster, id: failed?.runId ?? "" },
      { enabled: failed !== undefined },
    ),
  );
  const call = run.data === undefined ? undefined : failedCallOf(run.data);
  if (failed === undefined || call === undefined) return null;
  return (
    <section className={`${page.card} grid gap-3 pad-4`} aria-label={t`Last failed call`}>
      <div className="row apart">
        <h2 className="lead heavy">{t`Last failed call`}</h2>
        <Link href={addresses.run(cluster, failed.runId)} prefetch={false}>
          {mixed`Its run, by ${controllerOf(failed.controller).label}`}
        </Link>
      </div>
      <CallFacts call={call} />
    </section>
  );
}

function CallFacts({ call: { step, at, message } }: { readonly call: FailedCall }) {
  return (
    <Facts>
      <Fact label={t`Call`}>
        <code className="break">{step.operation}</code>
      </Fact>
      <Fact label={t`Status`}>{step.status ?? t`no answer`}</Fact>
      {step.error === undefined ? null : (
        <Fact label={t`Error`}>
          <CallError text={step.error} />
        </Fact>
      )}
      {message === undefined || message === step.error ? null : (
        <Fact label={t`Message`}>
          <CallError text={message} />
        </Fact>
      )}
      {step.requestId === undefined ? null : (
        <Fact label={t`Request`}>
          <RequestChip id={step.requestId} />
        </Fact>
      )}
      <Fact label={t`Sent`}>
        {step.attempt > 1 ? (
          mixed`${<TimeText at={at} />}, attempt ${step.attempt}`
        ) : (
          <TimeText at={at} />
        )}
      </Fact>
    </Facts>
  );
}

function WaitsForNode({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const loadBalancers = useNodeLoadBalancers(cluster, node.row.name);
  const waiting = waitsForNode(node, loadBalancers.data);
  if (waiting.length === 0) return null;
  return (
    <section
      className={`${page.card} grid gap-3 pad-4`}
      aria-label={t`What is waiting for this node`}
    >
      <h2 className="lead heavy">{t`What is waiting for this node`}</h2>
      <ul className="grid gap-3 pad-0 flush">
        {waiting.map((one) => (
          <li key={one.key} className="grid">
            <span>
              <span className="quiet">{KINDS[one.what]}</span>{" "}
              <WaitingName one={one} cluster={cluster} node={node.row.name} />
            </span>
            <span className="second">{one.sentence}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const KINDS: Readonly<Record<Waiting["what"], string>> = {
  get pods() {
    return t`Pods:`;
  },
  get route() {
    return t`Route to`;
  },
  balancer: "Service",
};

function WaitingName({
  one: { what, name },
  cluster,
  node,
}: {
  readonly one: Waiting;
  readonly cluster: string;
  readonly node: string;
}) {
  if (what === "pods") return <code className="break">{name}</code>;
  const href =
    what === "route"
      ? addresses.nodeRoutes(cluster, node, name)
      : addresses.balancer(cluster, name, "members");
  return <Link href={href}>{name}</Link>;
}
