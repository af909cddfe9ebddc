import { messageOf } from "@cloudwright/core/model/values/message-of";

/** Describes a failure for the log without tokens, codes or secrets, which a provider's answers may contain. */
export function errorOf(error: unknown): { readonly error: string; readonly code?: string } {
  const code = codeOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof Error ? `: ${cause.message || codeOf(cause)}` : answerOf(error);
  return { error: `${messageOf(error)}${inner}`, ...(code === undefined ? {} : { code }) };
}

/** Returns the provider's error code, such as invalid_client. */
function answerOf(error: unknown): string {
  if (!(error instanceof Error) || !("error" in error)) return "";
  return typeof error.error === "string" ? `: ${error.error.slice(0, ANSWER_MOST)}` : "";
}

const ANSWER_MOST = 60;

/** Reports whether there was no answer at all, as opposed to a wrong one. */
export function isNoAnswer(error: unknown): boolean {
  const isFetch = error instanceof TypeError && error.message === "fetch failed";
  return isFetch || codeOf(error) === "OAUTH_TIMEOUT" || statusOf(error) >= 500;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function statusOf(error: unknown): number {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : 0;
}
