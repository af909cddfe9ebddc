"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useRouter } from "next/navigation";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { FailedPage } from "../../components/page/pending-page.tsx";
import type { AnsweredError } from "../../components/problem.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";

/** Replaces the run that made a cloud call, if the server could not look up which run that was. */
export function FailedRequestPage({
  id,
  error,
}: {
  readonly id: string;
  readonly error: AnsweredError;
}) {
  const cluster = useClusterId();
  const { refresh } = useRouter();
  const runs = <Link href={addresses.requestRuns(cluster, id)}>{t`the list of runs`}</Link>;
  return (
    <div className={page.scrolling}>
      <FailedPage title={t`Request ${id}`} error={error} retry={refresh}>
        <p className="lead second">
          {mixed`The dashboard could not look up which run made this cloud call. You can also look for it in ${runs}.`}
        </p>
      </FailedPage>
    </div>
  );
}
