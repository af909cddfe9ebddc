import { visibleData } from "@cloudwright/core/model/values/bounded-text";
import type { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { z } from "zod";
import { named } from "./answers/named.ts";

/** The body of every refusal and failure, following RFC 9457. */
export const problemSchema = named(
  "Problem",
  z.object({
    type: z.literal("about:blank"),
    title: z.string().meta({ description: "The status in words." }),
    status: z.number(),
    detail: z.string().meta({ description: "What happened and what to do, as a sentence." }),
    code: z.string().meta({ description: "For programs, such as `BAD_REQUEST`." }),
    requestId: z.string().meta({
      description: "Also in the log of the dashboard, and in the header `X-Request-Id`.",
    }),
    parameter: z.string().optional().meta({ description: "Which parameter is wrong." }),
  }),
);

/** A problem that ends a request. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly parameter: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(given: {
    readonly status: ProblemStatus;
    readonly sentence: string;
    readonly parameter?: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  }) {
    super(given.sentence);
    this.name = "ApiProblem";
    this.status = given.status;
    this.code = CODES[given.status];
    this.parameter = given.parameter;
    this.headers = given.headers ?? {};
  }
}

const CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_ALLOWED",
  408: "TIMEOUT",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
  431: "BAD_REQUEST",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const;
export type ProblemStatus = keyof typeof CODES;

export function problemCode(status: ProblemStatus): string {
  return CODES[status];
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

export const PROBLEM_TYPE = "application/problem+json";

interface Described {
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly parameter?: string | undefined;
}

export function problemText(described: Described, requestId: string): string {
  const { status, code, sentence, parameter } = described;
  return JSON.stringify(
    visibleData({
      ...{ type: "about:blank", title: TITLES[status] ?? "Error", status },
      ...{ detail: sentence, code, requestId },
      ...(parameter === undefined ? {} : { parameter }),
    }),
  );
}

/** Returns the answer for an error: one of ours, or one thrown by a procedure. */
export function problemAnswer(error: ApiProblem | TRPCError, requestId: string): Response {
  const described =
    error instanceof ApiProblem
      ? { ...error, sentence: error.message }
      : {
          status: getHTTPStatusCodeFromError(error),
          code: error.code,
          sentence: error.message,
          parameter: aboutCursor(error) ? "cursor" : undefined,
        };
  return new Response(problemText(described, requestId), {
    status: described.status,
    headers: {
      ...(error instanceof ApiProblem ? error.headers : RETRY[described.status]),
      "Content-Type": PROBLEM_TYPE,
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
    },
  });
}

const RETRY: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  429: { "Retry-After": "60" },
  503: { "Retry-After": "5" },
};

/** The list itself validates cursors. */
function aboutCursor({ code, message }: TRPCError): boolean {
  return code === "BAD_REQUEST" && /\bcursor\b/.test(message);
}
