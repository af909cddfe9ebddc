"use client";
import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import type { ChainBreak, ChainVerification, Stretch } from "@cloudwright/store/views/chains";
import { mixed } from "../../components/language/mixed-text.ts";
import { listed } from "../../platform/wording/action-title.ts";
import styles from "./audit.module.css";
import { breakText, verificationText } from "./chain-words.ts";

// What a verification found is fetched with the first one.
export { verificationText };

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
export function BrokenChain({ found }: { readonly found: ChainVerification }) {
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

function stretches(found: readonly Stretch[]): string {
  return listed(
    found.map(({ from, to }) => (from === to ? t`entry ${from}` : t`entries ${from} to ${to}`)),
  );
}
