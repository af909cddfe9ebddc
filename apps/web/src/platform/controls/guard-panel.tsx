"use client";
import { type GuardStatus, heldCount } from "@cloudwright/core/model/controls";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { useId } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { SinceText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../actions/action-button.tsx";
import { guardRelease } from "../actions/action-choice.ts";
import styles from "./controls.module.css";

/** The state of the deletion guard: its limit, recent deletions, and the deletions that wait. */
export function GuardPanel({
  cluster,
  guard,
  obstacle,
}: {
  readonly cluster: string;
  readonly guard: GuardStatus | undefined;
  readonly obstacle: string | undefined;
}) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <header className={`buttons centred apart ${styles.guardHead}`}>
        <h3 id={id}>{t`Deletion guard`}</h3>
        {guard === undefined || guard.held.length === 0 ? null : (
          <ActionButton
            choice={guardRelease(cluster, guard.held)}
            of={t`the held deletions`}
            obstacle={obstacle}
          />
        )}
      </header>
      {guard === undefined ? (
        <p className={`small ${styles.quiet}`}>
          {t`It is off, or its state is not known. While it is off, a node whose machine is
            gone is deleted as soon as the cloud has confirmed that twice.`}
        </p>
      ) : (
        <GuardText cluster={cluster} guard={guard} />
      )}
    </section>
  );
}

function GuardText({ cluster, guard }: { readonly cluster: string; readonly guard: GuardStatus }) {
  const { limit, deleted, windowMs, windowEndsAt, held } = guard;
  const unlisted = heldCount(guard) - held.length;
  return (
    <>
      <p>
        {keepUnits(
          windowEndsAt === undefined
            ? t`At most ${limit} nodes are deleted within ${formatDuration(windowMs)}; none has been deleted recently.`
            : t`${deleted} of at most ${limit} nodes were deleted in this window of ${formatDuration(windowMs)}.`,
        )}{" "}
        {windowEndsAt === undefined ? null : mixed`It ends ${<TimeText at={windowEndsAt} />}.`}{" "}
        {held.length === 0
          ? t`No deletions are waiting.`
          : t`These deletions are waiting for an admin:`}
      </p>
      <ul className={`stack ${styles.held}`} data-running-text="">
        {held.map(({ name, uid, since, because }) => (
          <li key={uid}>
            <Link href={addresses.node(cluster, name)}>{name}</Link>{" "}
            <span className={`small ${styles.quiet}`}>
              {mixed`held for ${<SinceText at={since} />}`}
            </span>
            <span className="block break small second">{keepUnits(because)}</span>
          </li>
        ))}
      </ul>
      {unlisted === 0 ? null : (
        <p className={`small ${styles.quiet}`}>
          {mixed`${formatCount(unlisted)} more are waiting; they are listed when these are released.`}
        </p>
      )}
    </>
  );
}
