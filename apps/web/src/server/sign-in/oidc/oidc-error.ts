import { messageOf } from "@cloudwright/core/model/values/message-of";

/** What the log says of a failure: never a token, a code or a secret, which answers of the provider may hold. */
export function errorOf(error: unknown): { readonly error: string; readonly code?: string } {
  const code = codeOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof Error ? `: ${cause.message || codeOf(cause)}` : answerOf(error);
  return { error: `${messageOf(error)}${inner}`, ...(code === undefined ? {} : { code }) };
}

/** Such as invalid_client: what the provider calls its refusal. */
function answerOf(error: unknown): string {
  if (!(error instanceof Error) || !("error" in error)) return "";
  return typeof error.error === "string" ? `: ${error.error.slice(0, ANSWER_MOST)}` : "";
}

const ANSWER_MOST = 60;

/** Whether nobody answered, as opposed to an answer that was not right. */
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
