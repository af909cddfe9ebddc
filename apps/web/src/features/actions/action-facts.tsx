"use client";
import { controllersOf, type Intent, isFinal } from "@cloudwright/core/model/actions/intent";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { thing } from "../../platform/wording/action-title.ts";
import styles from "./action-page.module.css";

/** The requester, the reason, the end, and who works on the action. */
export function ActionFacts({ intent }: { readonly intent: Intent }) {
  const controllers = controllersOf(intent);
  const { object, action, why, actor, requestedAt, state, expiresAt } = intent;
  return (
    <dl className={styles.facts}>
      <dt>{t`Object`}</dt>
      <dd>{object.kind === "Controller" ? thing(object) : <ObjectLink object={object} />}</dd>
      <dt>{controllers.length === 1 ? t`Controller` : t`Controllers`}</dt>
      <dd>{controllers.map((name) => controllerOf(name).label).join(", ")}</dd>
      {"nodes" in action ? (
        <>
          <dt>{t`Nodes`}</dt>
          <dd>{action.nodes.map(({ name }) => name).join(", ")}</dd>
        </>
      ) : null}
      {"until" in action ? (
        <>
          <dt>{t`Until`}</dt>
          <dd>
            <TimeText at={action.until} />
          </dd>
        </>
      ) : null}
      <dt>{t`Reason`}</dt>
      <dd>{why}</dd>
      <dt>{t`Requested by`}</dt>
      <dd>
        {actor}, <TimeText at={requestedAt} />
      </dd>
      <Decision intent={intent} />
      <Batch intent={intent} />
      <Claim intent={intent} />
      {isFinal(state) ? null : (
        <>
          <dt>{t`Expires`}</dt>
          <dd>
            <TimeText at={expiresAt} />
          </dd>
        </>
      )}
      <Runs intent={intent} />
    </dl>
  );
}

/** Another user's approval or refusal. */
function Decision({ intent: { decision, state, claimedBy } }: { readonly intent: Intent }) {
  if (decision === undefined) return null;
  const { by, why, at } = decision;
  // An action that a controller rejects has been claimed before.
  const isDeclined = state === "rejected" && claimedBy === undefined;
  return (
    <>
      <dt>{isDeclined ? t`Declined by` : t`Approved by`}</dt>
      <dd>
        {by}, <TimeText at={at} />: {why}
      </dd>
    </>
  );
}

/** The batch that it was requested in. */
function Batch({ intent: { batch } }: { readonly intent: Intent }) {
  const cluster = useClusterId();
  if (batch === undefined) return null;
  return (
    <>
      <dt>{t`Requested with`}</dt>
      <dd>
        <Link href={addresses.batch(cluster, batch)}>{t`others, in one batch`}</Link>
      </dd>
    </>
  );
}

function Claim({ intent: { claimedBy, claimedTransition, state } }: { readonly intent: Intent }) {
  const nobody = isFinal(state) ? t`no controller` : t`no controller yet`;
  return (
    <>
      <dt>{t`Claimed by`}</dt>
      <dd>
        {claimedBy === undefined
          ? nobody
          : mixed`${<IdentityText identity={claimedBy} />}, term
              ${claimedTransition ?? t`unknown`}`}
      </dd>
    </>
  );
}

function Runs({ intent }: { readonly intent: Intent }) {
  const cluster = useClusterId();
  // Writing the control record is not a run.
  if (intent.object.kind === "Controller") return null;
  const runIds = runsOf(intent);
  const none = isFinal(intent.state) ? t`none` : t`none yet`;
  return (
    <>
      <dt>{t`Runs`}</dt>
      <dd>
        {runIds.length === 0 ? none : null}
        {runIds.map((run) => (
          <Link key={run} href={addresses.run(cluster, run)} className={styles.run}>
            {run.slice(-8)}
          </Link>
        ))}
      </dd>
    </>
  );
}

/** A retry of several loops has one run per loop, known before the action has ended. */
function runsOf({ runIds, loops = [] }: Intent): readonly string[] {
  return [...new Set([...runIds, ...loops.flatMap(({ runId }) => runId ?? [])])];
}
