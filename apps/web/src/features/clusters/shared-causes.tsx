"use client";
import { staleNote } from "@cloudwright/core/model/freshness/freshness-messages";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import { advice } from "@cloudwright/core/model/sentence";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { CauseInCluster, CauseMember, SharedCause } from "@cloudwright/store/views/fleet";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { CauseText } from "../../components/evidence/sentence-text.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { ErrorState } from "../../components/page/panel-states.tsx";
import { useFailure } from "../../components/page/use-failure.ts";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { SinceText, useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { objectAddress } from "../../components/url/object-address.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { clusterSilence } from "../../platform/live/cluster-state.ts";
import styles from "./fleet.module.css";
import { causeListAddress, causeTitle, kindsText } from "./fleet-messages.ts";

const REFETCH_MS = 10_000;

interface Fleet {
  readonly clusters: readonly ClusterView[];
  /** By the server's clock. */
  readonly readAt: number;
}

/** The causes shared by several clusters. Renders nothing if there are none. */
export function SharedCauses(fleet: Fleet) {
  const api = useApi();
  const found = useQuery(api.fleet.causes.queryOptions(undefined, { refetchInterval: REFETCH_MS }));
  const failure = useFailure(found);
  const { data } = found;
  if (data === undefined) {
    return failure === undefined ? null : (
      <section className={page.card} aria-labelledby="shared-causes">
        <h2 id="shared-causes" className="card-title">
          {t`Same cause in several clusters`}
        </h2>
        <div className="pad-4">
          <ErrorState {...failure} />
        </div>
      </section>
    );
  }
  if (data.length === 0) return null;
  return (
    <section className={`${page.card} ${styles.causes}`} aria-labelledby="shared-causes">
      <header className={`${page.header} ${styles.causesHead}`}>
        <h2 id="shared-causes" className="body-size bold">
          {t`Same cause in several clusters`}
        </h2>
        <span className="push" />
        <ExportMenu of={{ list: "shared-causes" }} />
      </header>
      <ol>
        {data.map((cause) => (
          <CauseRow key={cause.id} cause={cause} fleet={fleet} />
        ))}
      </ol>
    </section>
  );
}

function CauseRow({ cause, fleet }: { readonly cause: SharedCause; readonly fleet: Fleet }) {
  const oldest = oldestOf(cause);
  return (
    <li className={`grid gap-2-4 pad-3-4 top ${styles.cause}`}>
      <StatusChip status={STATE_PRESENTATION[cause.kind]}>
        <SinceText at={cause.since} />
      </StatusChip>
      <div className="grid narrows gap-2 break">
        <h3 className="heavy ink body-size">{causeTitle(cause)}</h3>
        {oldest === undefined ? null : (
          <p>
            <CauseText reason={oldest.reason} />.{" "}
            <span className="quiet small">{keepUnits(advice(oldest.reason))}</span>
          </p>
        )}
        <ul className={styles.places}>
          {cause.clusters.map((place) => (
            <Place key={place.cluster} place={place} cause={cause} fleet={fleet} />
          ))}
        </ul>
      </div>
    </li>
  );
}

function oldestOf({ clusters }: SharedCause): CauseMember | undefined {
  const members = clusters.flatMap((each) => each.members);
  return members.toSorted((left, right) => left.since - right.since)[0];
}

/** One cluster's share of a cause: its oldest objects, and the link to all of them. */
function Place({
  place,
  cause,
  fleet,
}: {
  readonly place: CauseInCluster;
  readonly cause: SharedCause;
  readonly fleet: Fleet;
}) {
  const all = causeListAddress(place, cause) ?? addresses.overview(place.cluster);
  const more = place.count - place.members.length;
  return (
    <li className="small">
      <Link href={addresses.overview(place.cluster)} className="strong">
        {place.name}
      </Link>{" "}
      <span className="quiet">
        <SilentNote cluster={place.cluster} fleet={fleet} />
        {kindsText(place.kinds)}, <SinceText at={place.since} />
      </span>
      <br />
      {place.members.map((member, index) => (
        <span key={`${member.kind} ${member.name}`}>
          {index === 0 ? "" : ", "}
          <MemberLink cluster={place.cluster} member={member} />
        </span>
      ))}
      {more === 0 ? null : (
        <>
          {" "}
          <Link href={all}>{t`and ${formatCount(more)} more`}</Link>
        </>
      )}
    </li>
  );
}

function MemberLink({
  cluster,
  member: { kind, name },
}: {
  readonly cluster: string;
  readonly member: CauseMember;
}) {
  const href = objectAddress(cluster, { kind, name });
  return href === undefined ? <span>{name}</span> : <Link href={href}>{name}</Link>;
}

/** A silent cluster's share of the cause dates from its last report. */
function SilentNote({ cluster, fleet }: { readonly cluster: string; readonly fleet: Fleet }) {
  const time = useTimeLabels();
  const view = fleet.clusters.find(({ id }) => id === cluster);
  const since = view === undefined ? undefined : clusterSilence(view, fleet.readAt);
  return since === undefined ? null : <strong>{staleNote(since, time)} </strong>;
}
