import { invalid } from "../../http/api-error.ts";
import type { Problem } from "../../rules/problem.ts";

/** Throws ApiError 422 about the service if there are problems. */
export function refuse(name: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid({ group: "", kind: "Service", name }, problems);
}
