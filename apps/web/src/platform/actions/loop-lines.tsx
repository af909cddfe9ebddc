import type { Intent } from "@cloudwright/core/model/actions/intent";
import { loopResultInWords } from "@cloudwright/core/model/actions/intent-result";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { SentenceText } from "../../components/evidence/sentence-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./loop-lines.module.css";

/** For a retry of several loops: the progress and result of each, one line per loop. */
export function LoopLines({
  cluster,
  intent,
}: {
  readonly cluster: string;
  readonly intent: Pick<Intent, "loops" | "object"> | undefined;
}) {
  if (intent === undefined) return null;
  const { loops = [], object } = intent;
  if (loops.length < 2) return null;
  return (
    <ul className={styles.lines} aria-label={t`Each controller`}>
      {loops.map(({ controller, state, result, reason, runId }) => (
        <li key={controller} className={styles.line}>
          <StatusChip status={INTENT_PRESENTATION[state]} />
          <strong>{controllerOf(controller).label}</strong>
          <span className={`break second ${styles.result}`}>
            <SentenceText
              text={
                loopResultInWords({ result, reason }, object) ?? INTENT_PRESENTATION[state].help
              }
            />
          </span>
          {runId === undefined ? null : (
            <Link href={addresses.run(cluster, runId)}>
              {mixed`Run${<span className="visually-hidden">{mixed` of ${controllerOf(controller).label}`}</span>}`}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
