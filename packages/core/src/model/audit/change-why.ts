import { englishOf, t } from "../language/text.ts";
import type { Reason } from "../reason.ts";
import { eventMessage } from "../sentence.ts";

/** Returns why a change was made, for its audit entry: its reason, and the user who requested the run that made it. */
export function changeWhy(reason: Reason, requestedBy?: string): string {
  const message = eventMessage(reason);
  return requestedBy === undefined || reason.code === "PersonAsked"
    ? message
    : t`${message} Requested by ${requestedBy}.`;
}

/** Reports whether an entry gives that reason, word for word. */
export function saysReason(why: string, reason: Reason): boolean {
  const english = englishOf(() => eventMessage(reason));
  return why === english || (why.startsWith(english) && requester(why, english) !== undefined);
}

/** Renders a reason that the entry gives again, in the reader's language. */
export function changeWhyAgain(why: string, reason: Reason): string {
  return changeWhy(
    reason,
    requester(
      why,
      englishOf(() => eventMessage(reason)),
    ),
  );
}

function requester(why: string, english: string): string | undefined {
  return /^ Requested by (.+)\.$/.exec(why.slice(english.length))?.[1];
}
