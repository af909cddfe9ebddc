"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ChainVerification } from "@cloudwright/store/views/chains";
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
import { expectPart, useFetched } from "../../components/use-fetched.ts";
import type { AppRouter } from "../../server/root.ts";
import styles from "./audit.module.css";

type Chain = inferRouterOutputs<AppRouter>["audit"]["chain"];

const loadResult = () => import("./verification-result.tsx");

/** How far the record can be trusted, and the button that verifies it. */
export function ChainPanel({ chain }: { readonly chain: string }) {
  const api = useApi();
  const stands = useQuery(api.audit.chain.queryOptions({ cluster: chain }));
  const failure = useFailure(stands);
  const verify = useMutation(api.audit.verify.mutationOptions());
  const isOfThis = verify.variables?.cluster === chain;
  const found = verify.data?.chain === chain ? verify.data : undefined;
  const result = useFetched(loadResult, found);
  return (
    <section className="stack" aria-label={t`Chain`}>
      <div className={`flex centred wrap gap-2-3 pad-2-3 on-surface ${styles.chainLine}`}>
        <ChainIcon found={found} stands={stands.data} />
        <p className="lead second" role="status">
          {stands.data === undefined ? (
            failure !== undefined && <Unread error={failure.error} />
          ) : (
            <ChainSentence stands={stands.data}>
              {found === undefined ? undefined : result?.verificationText(found)}
            </ChainSentence>
          )}
        </p>
        <Button
          className={styles.verify}
          disabled={verify.isPending}
          onClick={() => {
            expectPart(loadResult);
            verify.mutate({ cluster: chain });
          }}
        >
          {verify.isPending ? t`Verifying…` : t`Verify now`}
        </Button>
      </div>
      {verify.isError && isOfThis ? (
        <p role="alert" className={`pad-2-3 small round-small ${page.note}`}>
          {problemOf(verify.error).sentence} {problemOf(verify.error).advice}
        </p>
      ) : null}
      {found?.intact === false && result !== undefined ? (
        <result.BrokenChain found={found} />
      ) : null}
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

/** How far the chain reaches, or what its verification found, if the children say that. */
function ChainSentence({
  stands,
  children,
}: {
  readonly stands: Chain;
  readonly children: string | undefined;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  if (stands.head === undefined) return t`No entry has been written yet.`;
  if (children !== undefined) return children;
  return (
    <>
      <Reach
        entries={count(stands.head.seq)}
        since={stands.since === undefined ? undefined : formatDay(stands.since, zone, now)}
        verified={stands.verified}
      />{" "}
      <Checkpoint stands={stands} />
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
