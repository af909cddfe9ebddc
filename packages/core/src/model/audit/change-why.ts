import { englishOf, t } from "../language/text.ts";
import type { Reason } from "../reason.ts";
import { eventMessage } from "../sentence.ts";

/** Why a change was made, as its audit entry says it: its reason, and which user requested the run that made it. */
export function changeWhy(reason: Reason, requestedBy?: string): string {
  const message = eventMessage(reason);
  return requestedBy === undefined || reason.code === "PersonAsked"
    ? message
    : t`${message} Requested by ${requestedBy}.`;
}

/** Whether an entry gives that reason, word for word. */
export function saysReason(why: string, reason: Reason): boolean {
  const english = englishOf(() => eventMessage(reason));
  return why === english || (why.startsWith(english) && requester(why, english) !== undefined);
}

/** The same in the language of whoever reads it, of a reason that the entry gives. */
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
