import { openText, type Seal, sealText } from "@cloudwright/store/text/sealed-text";
import { z } from "zod";
import { environment } from "../environment.ts";
import { endStepCookie, type StepCookie, setStepCookie, stepCookieOf } from "./step-cookie.ts";

/** The user whose password was accepted and who still has to enter a code; it does not sign anyone in by itself. */
const codeStepSchema = z.object({
  userId: z.string(),
  email: z.string(),
  passwordId: z.string(),
});
export type CodeStep = z.infer<typeof codeStepSchema>;

const keptSchema = codeStepSchema.extend({ until: z.number() });

/** How many seconds after the password a code is accepted. */
const SECONDS = 10 * 60;
const COOKIE: StepCookie = { name: "cloudwright.code", path: "/sign-in" };

/** Records in a cookie that the password was accepted. */
export function keepCodeStep(answer: Response, step: CodeStep, now: number): void {
  const text = sealText(JSON.stringify({ ...step, until: now + SECONDS * 1_000 }), seal());
  setStepCookie(answer, COOKIE, { text, seconds: SECONDS });
}

export function endCodeStep(answer: Response): void {
  endStepCookie(answer, COOKIE);
}

/** Undefined if this browser has not sent a right password within the last minutes. */
export function codeStepOf(headers: Headers, now: number): CodeStep | undefined {
  const text = openText(stepCookieOf(headers, COOKIE), seal());
  if (text === undefined) return undefined;
  const { until, ...step } = keptSchema.parse(JSON.parse(text));
  return until > now ? step : undefined;
}

function seal(): Seal {
  return { secret: environment().authSecret, purpose: "sign-in code" };
}
