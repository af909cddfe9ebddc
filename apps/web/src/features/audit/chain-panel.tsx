"use client";
import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import type { ChainBreak, ChainVerification, Stretch } from "@cloudwright/store/views/chains";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { useFailure } from "../../components/page/use-failure.ts";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { problemOf } from "../../components/problem.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { formatDay } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { ClockText, TimeText } from "../../components/time/time-text.tsx";
import { listed } from "../../platform/wording/action-title.ts";
import type { AppRouter } from "../../server/root.ts";
import styles from "./audit.module.css";
import { breakText, verificationText } from "./chain-words.ts";

type Chain = inferRouterOutputs<AppRouter>["audit"]["chain"];

/** How far the record can be trusted, and the button that verifies it. */
export function ChainPanel({ chain }: { readonly chain: string }) {
  const api = useApi();
  const stands = useQuery(api.audit.chain.queryOptions({ cluster: chain }));
  const failure = useFailure(stands);
  const verify = useMutation(api.audit.verify.mutationOptions());
  const isOfThis = verify.variables?.cluster === chain;
  const found = verify.data?.chain === chain ? verify.data : undefined;
  return (
    <section className="stack" aria-label={t`Chain`}>
      <div className={`flex centred wrap gap-2-3 pad-2-3 on-surface ${styles.chainLine}`}>
        <ChainIcon found={found} stands={stands.data} />
        <p className="lead second" role="status">
          {stands.data === undefined ? (
            failure !== undefined && <Unread error={failure.error} />
          ) : (
            <ChainSentence stands={stands.data} found={found} />
          )}
        </p>
        <Button
          className={styles.verify}
          disabled={verify.isPending}
          onClick={() => verify.mutate({ cluster: chain })}
        >
          {verify.isPending ? t`Verifying…` : t`Verify now`}
        </Button>
      </div>
      {verify.isError && isOfThis ? (
        <p role="alert" className={`pad-2-3 small round-small ${page.note}`}>
          {problemOf(verify.error).sentence} {problemOf(verify.error).advice}
        </p>
      ) : null}
      {found?.intact === false ? <BrokenChain found={found} /> : null}
    </section>
  );
}

function Unread({ error }: { readonly error: unknown }) {
  const { sentence, advice } = problemOf(error);
  return (
    <>
      {t`The extent of this record could not be read.`} {sentence} {advice}
    </>
  );
}

function ChainIcon({
  found,
  stands,
}: {
  readonly found: ChainVerification | undefined;
  readonly stands: Chain | undefined;
}) {
  const intact = found?.intact ?? stands?.verified?.intact;
  const known = intact ? STATE_PRESENTATION.ok : STATE_PRESENTATION.stuck;
  return (
    <StatusIcon status={intact === undefined ? STATE_PRESENTATION.unknown : known} size={20} />
  );
}

function ChainSentence({
  stands,
  found,
}: {
  readonly stands: Chain;
  readonly found: ChainVerification | undefined;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  if (stands.head === undefined) return t`No entry has been written yet.`;

  return (
    <>
      {found === undefined ? (
        <Reach
          entries={count(stands.head.seq)}
          since={stands.since === undefined ? undefined : formatDay(stands.since, zone, now)}
          verified={stands.verified}
        />
      ) : (
        verificationText(found)
      )}{" "}
      {found === undefined ? <Checkpoint stands={stands} /> : null}
    </>
  );
}

function Reach({
  entries,
  since,
  verified,
}: {
  readonly entries: string;
  readonly since: string | undefined;
  readonly verified: Chain["verified"];
}) {
  const last = <LastVerified verified={verified} />;
  return since === undefined
    ? mixed`${entries}, ${last}.`
    : mixed`${entries} since ${since}, ${last}.`;
}

function LastVerified({ verified }: { readonly verified: Chain["verified"] }) {
  if (verified === undefined) return t`not verified here yet`;
  const { intact, by, at, anchoredTo = 0 } = verified;
  const entries = count(verified.entries);
  const when = <TimeText at={at} />;
  if (anchoredTo === 0) {
    return intact
      ? mixed`unbroken when ${by} had the first ${entries} verified ${when}`
      : mixed`broken when ${by} had the first ${entries} verified ${when}`;
  }
  return intact
    ? mixed`unbroken when ${by} had the first ${entries} verified ${when},
        up to entry ${anchoredTo} against a checkpoint`
    : mixed`broken when ${by} had the first ${entries} verified ${when},
        up to entry ${anchoredTo} against a checkpoint`;
}

function Checkpoint({ stands: { checkpoint, head } }: { readonly stands: Chain }) {
  if (checkpoint === undefined) {
    return t`No checkpoint is kept outside the database yet: its owner could rewrite the whole chain unnoticed.`;
  }
  return (
    <>
      {mixed`Last checkpoint ${<ClockText at={checkpoint.at} />} at entry ${checkpoint.seq},
        outside the database: ${checkpoint.place}; ${newerText(head?.seq ?? 0, checkpoint.seq)}.
        This page compares with the database's own copy of it;
        ${<code>cloudwright audit verify --kubeconfig</code>} reads the checkpoint itself.`}
    </>
  );
}

/** In languages other than English, it adds the log's own text, which says more. */
function Break({ found }: { readonly found: ChainBreak }) {
  if (currentLanguage() === "en") return found.sentence;
  return (
    <>
      {breakText(found)}{" "}
      <span lang="en" className="second">
        {found.sentence}
      </span>
    </>
  );
}

/** Which entries differ from what was written, what is still proven, and what to do. */
function BrokenChain({ found }: { readonly found: ChainVerification }) {
  const more = found.breakCount - found.breaks.length;
  return (
    <div className={`stack pad-3-4 break on-stuck round ${styles.broken}`} role="alert">
      <h2 className="body-size heavy">
        {found.breakCount === 1
          ? t`The chain is broken`
          : t`The chain is broken in ${found.breakCount} places`}
      </h2>
      <ul>
        {found.breaks.map((each) => (
          <li key={`${each.kind} ${each.from}`}>
            <Break found={each} />
          </li>
        ))}
        {more > 0 ? <li>{mixed`And ${more} more.`}</li> : null}
      </ul>
      {found.checkpoints
        .filter(({ matches }) => !matches)
        .map(({ seq, place }) => (
          <p key={`${seq} ${place}`}>
            {mixed`The checkpoint of entry ${seq} (${place}) does not match what the database
              holds now.`}
          </p>
        ))}
      <p>{provenText(found)}</p>
      <p>
        {mixed`Somebody with the database owner's rights wrote to it without Cloudwright. Find out
          who had them, compare with an older export or backup, and keep a copy of the database as
          it is now. ${<code>cloudwright audit verify --kubeconfig …</code>} compares with the
          checkpoint in the cluster itself. New entries continue from here and stay verifiable
          among themselves.`}
      </p>
    </div>
  );
}

/** Says what a broken chain still proves. */
export function provenText({ proven, head }: ChainVerification): string {
  const bound = proven.filter((stretch) => stretch.bound);
  const loose = proven.filter((stretch) => !stretch.bound);
  const parts = [
    bound.length === 0 ? "" : t`Still proven: ${stretches(bound)}.`,
    loose.length === 0
      ? ""
      : t`Intact in themselves, but not linked to the rest: ${stretches(loose)}.`,
  ].filter((part) => part !== "");
  if (parts.length > 0) return parts.join(" ");
  return head === undefined ? "" : t`No entry can be proven any longer.`;
}

function count(entries: number): string {
  return entries === 1 ? t`1 entry` : t`${formatCount(entries)} entries`;
}

/** Says how many entries no checkpoint covers yet. */
export function newerText(head: number, checkpoint: number): string {
  const newer = head - checkpoint;
  if (newer <= 0) return t`no entry is newer`;
  return newer === 1
    ? t`1 newer entry is not yet anchored`
    : t`${formatCount(newer)} newer entries are not yet anchored`;
}

function stretches(found: readonly Stretch[]): string {
  return listed(
    found.map(({ from, to }) => (from === to ? t`entry ${from}` : t`entries ${from} to ${to}`)),
  );
}
