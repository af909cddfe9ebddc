import { type RecordedText, recordedTexts } from "@cloudwright/core/model/language/recorded";
import { t } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";

/** An audit entry with its reason in the reader's language, if the reason is one of the texts that the log keeps in English. */
export type Worded<Entry> = Entry & { readonly said?: string };

/**
 * Runs on the server, because the browser would have to fetch these texts for a single page. For English readers, and for reasons that a
 * user wrote or another release recorded, it adds nothing.
 */
export function wordedEntries<Entry extends Pick<AuditRow, "why" | "actor">>(
  entries: readonly Entry[],
): readonly Worded<Entry>[] {
  return entries.map((entry) => {
    const said =
      (entry.actor.kind === "person" ? undefined : controllerWhy(entry.why)) ??
      accountWhy(entry.why);
    return said === undefined ? entry : { ...entry, said };
  });
}

/** Translates the standard reason of an entry for which nobody gave a reason. */
export function accountWhy(why: string): string | undefined {
  return said(why);
}

/** The same for the whole sentences of what controllers do by themselves. */
export function controllerWhy(why: string): string | undefined {
  return controllerSaid(why);
}

const SIGN_IN: readonly RecordedText[] = [
  () => t`Signed in with a password`,
  () => t`Signed in with a password and a code of the authenticator app`,
  () => t`Signed in with a password and a recovery code`,
  () => t`Signed in with a sign-in link`,
  ([issuer]) => t`Signed in for the first time at ${issuer}`,
  ([issuer]) => t`Signed in at ${issuer}`,
  () => t`Signed out`,
  () => t`A sign-in link was created on the command line`,
  () => t`Somebody tried to sign in with an unknown e-mail address`,
  () => t`The account is disabled`,
  () => t`The account or its password was changed`,
  () => t`The account has no password`,
  () => t`The password was wrong`,
  () => t`The account no longer has an authenticator app`,
  () => t`The code of the authenticator app was wrong`,
  () => t`The code was used already`,
  ([times]) =>
    t`Codes of the authenticator app were wrong ${times} times: only a recovery code is accepted`,
  () =>
    t`The authenticator's secret cannot be read: it was sealed with another CLOUDWRIGHT_AUTH_SECRET`,
  () => t`Signing in did not come from the dashboard's own page`,
  () => t`Too many tries to sign in were waiting`,
  () => t`Nobody signed in`,
];

const ACCOUNTS: readonly RecordedText[] = [
  () => t`Added to the users of the dashboard`,
  () => t`Disabled`,
  () => t`Enabled again`,
  ([role]) => t`Made ${role}`,
  () => t`Given all clusters`,
  () => t`Restricted to clusters`,
  ([issuer]) => t`Follows the groups at ${issuer}`,
  () => t`None of the user's groups gives a role any longer`,
  () => t`Changed their own password`,
  () => t`Set by an admin`,
  () => t`Reset by an admin`,
  () => t`Added an authenticator app`,
  () => t`Removed their own authenticator app`,
  () => t`Removed by an admin`,
  () => t`Ended the session`,
  () => t`Ended all sessions`,
  () => t`Made an API token`,
  () => t`Revoked the API token`,
];

const RECORDS: readonly RecordedText[] = [
  () => t`Added`,
  () => t`Saved`,
  () => t`Changed`,
  () => t`Removed`,
  () => t`New secret`,
  () => t`Commented on a run`,
  () => t`Commented on an action`,
  () => t`Withdrew a comment on a run`,
  () => t`Withdrew a comment on an action`,
  () => t`Shared what was seen`,
  () => t`Deleted what was shared`,
  () => t`Sent a test`,
  () => t`Cancelled before a leader had claimed it`,
  () => t`Requested from the dashboard`,
  ([list, form]) => t`Exported the list of ${list} as ${form}`,
  ([count, form]) => t`Exported ${count} entries as ${form}`,
  ([action]) => t`Preview before a decision: ${action}`,
  ([why, more, minutes]) => t`${why} … and ${more} more of the same in ${minutes} min`,
  ([why, more, minutes]) =>
    t`${why} … and ${more} more refused requests of all users in ${minutes} min`,
  ([why, more, minutes]) => t`${why} … and ${more} more refused requests in ${minutes} min`,
];

const said = recordedTexts([...SIGN_IN, ...ACCOUNTS, ...RECORDS]);

const controllerSaid = recordedTexts([
  ([by, why]) => t`${by} asked for it: ${why}.`,
  ([by, end]) => t`The pause by ${by} was set to end at ${end}.`,
  ([deleted, limit, time]) =>
    t`${deleted} of at most ${limit} nodes were deleted within ${time}, so 1 more deletion waits for an admin. Check in the cloud that these machines are really gone, then release the deletion guard.`,
  ([deleted, limit, time, count]) =>
    t`${deleted} of at most ${limit} nodes were deleted within ${time}, so ${count} more deletions wait for an admin. Check in the cloud that these machines are really gone, then release the deletion guard.`,
]);
