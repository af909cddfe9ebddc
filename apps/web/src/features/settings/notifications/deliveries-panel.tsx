"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { DeliveryView } from "@cloudwright/store/views/webhooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { CodeInText } from "../../../components/evidence/code-in-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { Pending } from "../../../components/page/panel-states.tsx";
import { RowStatus } from "../../../components/status/row-status.tsx";
import { rowsOf } from "../../../components/table/pages.ts";
import { TimeText } from "../../../components/time/time-text.tsx";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { SettingsPanel } from "../settings-panel.tsx";
import { deliveryProblem } from "./delivery-problem.ts";
import own from "./notifications.module.css";
import { DELIVERY_PRESENTATION, messageKind } from "./webhook-words.ts";

const PAGE = 25;
const TROUBLED = ["pending", "failed", "givenUp"] as const;

/** What was sent, newest first, and why other messages were not delivered. */
export function DeliveriesPanel() {
  const api = useApi();
  const [onlyTroubled, setOnlyTroubled] = useState(false);
  const filter = onlyTroubled ? { states: TROUBLED } : {};
  const deliveries = useInfiniteQuery(
    api.webhooks.deliveries.infiniteQueryOptions(
      { limit: PAGE, ...filter },
      { getNextPageParam: ({ next }) => next },
    ),
  );
  const rows = rowsOf(deliveries.data);
  return (
    <SettingsPanel
      title={t`Deliveries`}
      aside={
        <span className="row">
          <label className="flex centred gap-2">
            <input
              type="checkbox"
              checked={onlyTroubled}
              onChange={({ currentTarget }) => setOnlyTroubled(currentTarget.checked)}
            />
            {t`Only those not delivered`}
          </label>
          <ExportMenu of={{ list: "deliveries", filter }} />
        </span>
      }
    >
      {rows === undefined ? (
        <Pending query={deliveries} lines={4} />
      ) : rows.length === 0 ? (
        <p className="quiet">
          {onlyTroubled ? t`All messages were delivered.` : t`No message has been sent yet.`}
        </p>
      ) : (
        <ul className={own.deliveries} aria-label={t`Deliveries`}>
          {rows.map((row) => (
            <Delivery key={row.id} row={row} />
          ))}
        </ul>
      )}
      {deliveries.hasNextPage ? (
        <div className="buttons">
          <Button
            disabled={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            {t`Show older ones`}
          </Button>
        </div>
      ) : null}
      <p className="quiet small light">
        {t`Kept for 30 days, the newest 1,000 of each webhook. A message that fails temporarily is
          retried for a day.`}
      </p>
    </SettingsPanel>
  );
}

function Delivery({ row }: { readonly row: DeliveryView }) {
  const { webhook, clusterName, state, problem, sentence, path, createdAt, nextAt } = row;
  const text = <CodeInText text={sentence} />;
  return (
    <li className={own.delivery}>
      <div className="row">
        <RowStatus status={DELIVERY_PRESENTATION[state]} />
        <strong>{messageKind(row)}</strong>
        <span className="second">
          {clusterName} → {webhook.name}
        </span>
        <span className="push quiet small">
          <TimeText at={createdAt} />
        </span>
      </div>
      <p className="break">{row.phase === "test" ? text : <Link href={path}>{text}</Link>}</p>
      {problem === undefined ? null : <p className="second">{deliveryProblem(problem)}</p>}
      {state === "pending" && nextAt !== undefined ? (
        <p className="quiet small">{mixed`Next attempt ${<TimeText at={nextAt} />}`}</p>
      ) : null}
      <Attempts attempts={row.attempts} />
    </li>
  );
}

function Attempts({ attempts }: Pick<DeliveryView, "attempts">) {
  if (attempts.length === 0) return null;
  return (
    <details>
      <summary className="quiet small pointer">{attemptsTitle(attempts)}</summary>
      <ol className={`small ${own.attempts}`}>
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            <TimeText at={attempt.at} />: {attemptText(attempt)}{" "}
            <span className="quiet">({attempt.durationMs} ms)</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function attemptText({ problem, status }: DeliveryView["attempts"][number]): string {
  return problem === undefined ? t`answered ${status ?? ""}` : deliveryProblem(problem);
}

function attemptsTitle(attempts: DeliveryView["attempts"]): string {
  const last = attempts.at(-1);
  const answer = last?.status === undefined ? t`no answer` : t`answered ${last.status}`;
  const ms = last?.durationMs ?? 0;
  return attempts.length === 1
    ? t`1 attempt, ${answer} in ${ms} ms`
    : t`${attempts.length} attempts, ${answer} in ${ms} ms`;
}
