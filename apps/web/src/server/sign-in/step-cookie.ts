import { environment } from "../environment.ts";

/** What a browser keeps between two steps of a sign-in, sealed, and sends only to that part of the dashboard. */
export interface StepCookie {
  readonly name: string;
  readonly path: string;
}

export function setStepCookie(
  answer: Response,
  { name, path }: StepCookie,
  { text, seconds }: { readonly text: string; readonly seconds: number },
): void {
  const secure = environment().publicOrigin?.startsWith("https:") ? "; Secure" : "";
  const bounds = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  answer.headers.append("Set-Cookie", `${name}=${text}; ${bounds}`);
}

/** Removes the cookie: its content is used up, whatever the outcome. */
export function endStepCookie(answer: Response, cookie: StepCookie): void {
  setStepCookie(answer, cookie, { text: "", seconds: 0 });
}

/** Empty if there is none. */
export function stepCookieOf(headers: Headers, { name }: StepCookie): string {
  const cookies = (headers.get("cookie") ?? "").split(";").map((each) => each.trim());
  const found = cookies.find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? "";
}
