import { databaseAnswers } from "./database-check.ts";

export interface Health {
  readonly status: "ok" | "degraded";
  readonly database: "ok" | "unreachable";
}

/** Whether this process serves and reaches its database. It serves without one too, so that the page can say so. */
export async function health(): Promise<Health> {
  return (await databaseAnswers())
    ? { status: "ok", database: "ok" }
    : { status: "degraded", database: "unreachable" };
}
