"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { VolumeView } from "@cloudwright/store/views/volumes";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { CopyButton } from "../../components/button/copy-button.tsx";
import { Diagnosis } from "../../components/diagnosis.tsx";
import { Fact } from "../../components/facts/fact.tsx";
import { JustChanged } from "../../components/just-changed/just-changed.tsx";
import { DriftChip, LastRunChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { FetchedPeek } from "../../components/peek-panel/peek-panel.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { volumeRetry } from "../../platform/actions/action-choice.ts";
import { OpenActions } from "../../platform/actions/open-actions.tsx";
import { ShareButton } from "../../platform/incidents/share-button.tsx";
import type { BesideProps } from "../../platform/lists/record-list.tsx";
import { Label } from "./volume-columns.tsx";
import { affinityText, labelPair, labelText, sizeText } from "./volume-messages.ts";
import styles from "./volumes.module.css";

/** Everything known about one volume, and its actions. */
export function VolumePeek({ name, onClose }: BesideProps) {
  const cluster = useClusterId();
  const api = useApi();
  const volume = useQuery(api.volumes.byName.queryOptions({ cluster, name }));
  return (
    <FetchedPeek title={name} onClose={onClose} query={volume}>
      {(data) => <Summary volume={data} />}
    </FetchedPeek>
  );
}

function Summary({ volume }: { readonly volume: VolumeView }) {
  const { row, goneAt } = volume;
  const cluster = useClusterId();
  const retry = volumeRetry({ cluster, name: row.name, uid: row.uid });
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={row.drift} />
      </div>
      <Diagnosis object={{ kind: "PersistentVolume", name: row.name }} row={row} goneAt={goneAt} />
      <OpenActions of={volume} />
      {goneAt === undefined ? (
        <div className={page.toolbar}>
          <ActionButton choice={retry} appearance="primary" />
          <ActionButton choice={{ ...retry, isDryRun: true }} />
        </div>
      ) : null}
      <Facts row={row} />
      <Link
        href={`${addresses.object(cluster, "PersistentVolume", row.name)}?tab=events`}
        prefetch={false}
      >
        {t`Events of this volume and its claim`}
      </Link>
      <div className={styles.share}>
        <ShareButton
          about={{ kind: "object", of: "PersistentVolume", name: row.name }}
          name={row.name}
        />
      </div>
    </>
  );
}

function Facts({ row: { uid, detail, lastRun } }: { readonly row: VolumeView["row"] }) {
  const cluster = useClusterId();
  return (
    <dl className={styles.facts}>
      {detail === undefined ? null : (
        <>
          <Fact label={t`Disk`}>
            <code>{detail.volumeId}</code>
            <CopyButton text={detail.volumeId} label={t`Copy the disk's ID`} />
          </Fact>
          <Fact label={t`Zone`}>
            <JustChanged of={uid} value={labelText(detail.labels, "zone") ?? ""}>
              <Label pair={labelPair(detail.labels, "zone")} />
            </JustChanged>
          </Fact>
          <Fact label={t`Region`}>
            <JustChanged of={uid} value={labelText(detail.labels, "region") ?? ""}>
              <Label pair={labelPair(detail.labels, "region")} />
            </JustChanged>
          </Fact>
          <Fact label={t`Node affinity`}>
            <JustChanged of={uid} value={affinityText(detail)} />
          </Fact>
          <Fact label={t`Size`}>
            <JustChanged of={uid} value={sizeText(detail)} />
          </Fact>
          <Fact label={t`Claim`}>
            <JustChanged of={uid} value={detail.claim ?? t`none`} />
          </Fact>
          <Fact label={t`Storage class`}>{detail.storageClass ?? t`none`}</Fact>
          <Fact label={t`Cloud checked`}>
            {detail.asOf === undefined ? t`not yet` : <TimeText at={detail.asOf} />}
          </Fact>
          <Fact label={t`Last change`}>
            {detail.changedAt === undefined ? t`none by us` : <TimeText at={detail.changedAt} />}
          </Fact>
        </>
      )}
      <Fact label={t`Last run`}>
        <Link href={addresses.run(cluster, lastRun.id)} className="plain-link" prefetch={false}>
          <LastRunChip of={uid} lastRun={lastRun} />
        </Link>
      </Fact>
    </dl>
  );
}
