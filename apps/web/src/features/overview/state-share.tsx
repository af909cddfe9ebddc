import { STATES, type State } from "@cloudwright/core/model/state";
import { JustChanged } from "../../components/just-changed/just-changed.tsx";
import { Link } from "../../components/link.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import styles from "./overview.module.css";

const SHOWN = STATES.filter((state) => state !== "gone");

/** How many are in which state: a bar of their shares, and the same as numbers that link to the list. */
export function StateShare({
  counts,
  list,
}: {
  readonly counts: Readonly<Record<State, number>>;
  /** The address of the list, without a query. */
  readonly list: string;
}) {
  return (
    <>
      <div className={`flex gap-tiny clip sunken pill ${styles.share}`} aria-hidden="true">
        {SHOWN.filter((state) => counts[state] > 0).map((state) => (
          <span
            key={state}
            data-tone={STATE_PRESENTATION[state].tone}
            data-state={state}
            style={{ flexGrow: counts[state] }}
          />
        ))}
      </div>
      <ul className={`flex wrap gap-1-4 ${styles.states}`}>
        {SHOWN.filter((state) => counts[state] > 0 || state === "ok" || state === "stuck").map(
          (state) => (
            <li key={state}>
              <Link href={`${list}?state=${state}`}>
                <StatusIcon status={STATE_PRESENTATION[state]} size={14} />
                {STATE_PRESENTATION[state].label}
                <strong>
                  <JustChanged of={list} value={counts[state]}>
                    {formatCount(counts[state])}
                  </JustChanged>
                </strong>
              </Link>
            </li>
          ),
        )}
      </ul>
    </>
  );
}
