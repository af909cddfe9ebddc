import { databaseAnswers } from "./database-check.ts";

export interface Health {
  readonly status: "ok" | "degraded";
  readonly database: "ok" | "unreachable";
}

/** Reports whether this process is up and reaches its database. It also serves without one, so that the page can say so. */
export async function health(): Promise<Health> {
  return (await databaseAnswers())
    ? { status: "ok", database: "ok" }
    : { status: "degraded", database: "unreachable" };
}
