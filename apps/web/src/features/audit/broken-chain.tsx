"use client";
import type { ChainVerification } from "@cloudwright/store/audit/chain-views";
import styles from "./audit.module.css";
import { provenText } from "./chain-words.ts";

/** Which entries are not as they were written, what is still proven, and what to do. */
export function BrokenChain({ found }: { readonly found: ChainVerification }) {
  const more = found.breakCount - found.breaks.length;
  return (
    <div className={styles.broken} role="alert">
      <h2 className={styles.heading}>
        {found.breakCount === 1
          ? "The chain is broken"
          : `The chain is broken at ${found.breakCount} places`}
      </h2>
      <ul>
        {found.breaks.map((each) => (
          <li key={`${each.kind} ${each.from}`}>{each.sentence}</li>
        ))}
        {more > 0 ? <li>And {more} more.</li> : null}
      </ul>
      {found.checkpoints
        .filter(({ matches }) => !matches)
        .map(({ seq, place }) => (
          <p key={`${seq} ${place}`}>
            The checkpoint of entry {seq} ({place}) does not match what the database holds now.
          </p>
        ))}
      <p>{provenText(found)}</p>
      <p>
        Somebody with the rights of the database's owner wrote past Cloudwright. Find out who had
        them, compare with an older export or backup, and keep a copy of the database as it is now.{" "}
        <code>cloudwright audit verify --kubeconfig …</code> compares with the checkpoint in the
        cluster itself. New entries go on from here and stay verifiable among themselves.
      </p>
    </div>
  );
}
