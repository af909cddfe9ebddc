"use client";
import { t } from "@cloudwright/core/model/language/text";
import { objectRefOf } from "@cloudwright/core/model/object-ref";
import type { Problem, ProblemMember } from "@cloudwright/store/views/overview";
import { Link } from "../../components/link.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { addresses } from "../../components/url/addresses.ts";
import { objectAddress } from "../../components/url/object-address.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import {
  type ActionChoice,
  guardRelease,
  nodeAction,
  objectAction,
  serviceAction,
  staleRouteRetry,
  volumeRetry,
} from "../../platform/actions/action-choice.ts";
import { openDialog } from "../../platform/actions/dialog-store.ts";
import { GatedButton } from "../../platform/actions/gated-button.tsx";
import { useWhyNot } from "../../platform/actions/use-leave.ts";
import { ShareButton } from "../../platform/incidents/share-button.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { problemTitle } from "../../platform/wording/overview-messages.ts";
import styles from "./overview.module.css";

interface ProblemProps {
  readonly problem: Problem;
}

interface ActionsProps extends ProblemProps {
  /** Another problem has the same reason; the list of nodes can only filter by reason. */
  readonly isShared: boolean;
}

/** The actions on a problem that are possible here, and the link to everything known about it. */
export function ProblemActions({ problem, isShared }: ActionsProps) {
  const cluster = useClusterId();
  const { kind, of, count, members } = problem;
  const [oldest] = members;
  const only = count === 1 ? oldest : undefined;
  const href =
    only === undefined ? undefined : objectAddress(cluster, { kind: of, name: only.name });
  return (
    <div className={styles.problemActions}>
      {kind === "held" ? <ReleaseButton /> : <Retry problem={problem} />}
      <Link
        className={`inline-flex centred pad-0-3 nowrap medium ink on-surface ${styles.open}`}
        href={href ?? listAddress(cluster, problem)}
      >
        {only === undefined ? openText(count, isShared) : t`Open`}
        {only === undefined ? null : <span className="visually-hidden"> {only.name}</span>}
      </Link>
      <ShareButton
        label={t`Share…`}
        about={
          only === undefined
            ? { kind: "problem", id: problem.id }
            : { kind: "object", of, name: only.name }
        }
        name={problemTitle(problem)}
      />
    </div>
  );
}

function listAddress(cluster: string, { of, kind, code }: Problem): string {
  const filter = `?state=${kind}&reason=${code}`;
  switch (of) {
    case "Node":
      return `${addresses.nodes(cluster)}${filter}`;
    case "Service":
      return `${addresses.balancers(cluster)}${filter}`;
    case "LoadBalancer":
      return addresses.orphans(cluster);
    case "Route":
      return addresses.routes(cluster, "?show=stale");
    case "RouteTable":
      return addresses.routes(cluster);
    case "PersistentVolume":
      return addresses.volumes(cluster, filter);
    // No list has exactly these, but their runs show what happened.
    default:
      return addresses.runs(cluster, `kind:${of} reason:${code}`);
  }
}

function openText(count: number, isShared: boolean): string {
  return isShared ? t`Open all like it` : t`Open all ${formatCount(count)}`;
}

/** Retries only the objects named here: never others that get the same problem later. */
function Retry({ problem: { of, count, members } }: ProblemProps) {
  const cluster = useClusterId();
  const whyNot = useWhyNot("retry");
  const targets = members.flatMap((member) => retryOf(cluster, of, member) ?? []);
  const [first] = targets;
  if (first === undefined) return null;
  if (count === 1) {
    return <ActionButton choice={first} appearance="primary" />;
  }
  return (
    <GatedButton
      appearance="primary"
      whyNot={whyNot}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: {
            ...{ kind: "bulk", cluster, targets },
            onDone: () => undefined,
          },
          opener: currentTarget,
        })
      }
    >
      {count > targets.length ? t`Retry oldest ${targets.length}…` : t`Retry ${count}…`}
    </GatedButton>
  );
}

/** Undefined for what nobody can retry. */
function retryOf(
  cluster: string,
  of: Problem["of"],
  { controller, name, uid }: ProblemMember,
): ActionChoice | undefined {
  switch (of) {
    case "Node":
      return nodeAction({ cluster, controller, name, uid }, "retry");
    case "Service":
      return serviceAction({ cluster, service: name, uid }, "retry");
    case "PersistentVolume":
      return volumeRetry({ cluster, name, uid });
    case "Route":
      return staleRouteRetry(cluster, name);
    case "LoadBalancer":
    case "RouteTable":
      return undefined;
    default:
      return objectAction(
        { cluster, controller, object: objectRefOf({ kind: of, name, uid }) },
        "retry",
      );
  }
}

function ReleaseButton() {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  const held = data?.leader?.controls?.guard?.held ?? [];
  if (held.length === 0) return null;
  return <ActionButton choice={guardRelease(cluster, held)} />;
}
