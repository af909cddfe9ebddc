import { type SchemaState, schemaState } from "@cloudwright/store/database/migrate";
import { loginStanding } from "@cloudwright/store/roles/role-logins";
import { databaseUrlProblems } from "../../flags/database-url.ts";
import { databaseProblem } from "../ledger/database-failure.ts";
import { type Judged, ok, problem, warning } from "./finding.ts";
import { judgeLogin } from "./judge-login.ts";

/**
 * Examines whether the ledger's database responds, has the tables of this release, and accepts records of this cluster, whose id
 * is the UID of its namespace kube-system.
 */
export async function examineDatabase(
  databaseUrl: string | undefined,
  cluster: string | undefined,
): Promise<Judged[]> {
  if (databaseUrl === undefined) {
    return [
      warning(
        "No ledger is configured: nothing is recorded, and there is no dashboard.",
        "Give --database-url (or DATABASE_URL) to record every decision; the controller also works without it.",
      ),
    ];
  }
  // A flag's value has been checked before.
  const [malformed] = databaseUrlProblems("DATABASE_URL", databaseUrl);
  if (malformed !== undefined) {
    return [problem(malformed, "Correct this first: until then the controller does not start.")];
  }
  try {
    const { kind, missing } = await schemaState(databaseUrl);
    const schema = judgeSchema(kind, missing.length);
    // The functions that answer for the login were added by a migration.
    if (kind !== "current" && kind !== "newer") return [schema];
    return [schema, judgeLogin(await loginStanding(databaseUrl), cluster)];
  } catch (error) {
    const why = databaseProblem(error);
    if (why === undefined) throw error;
    return [problem(why, "The controller works without it and keeps its records in --spool-dir.")];
  }
}

function judgeSchema(kind: SchemaState["kind"], missing: number): Judged {
  switch (kind) {
    case "current":
      return ok("The database answers, and its schema is that of this release.");
    case "newer":
      return ok("The database answers, and a later release has migrated it.");
    case "behind":
      return problem(
        `The database's schema lacks ${missing} of this release's migrations.`,
        "Run cloudwright migrate before the controller starts.",
      );
    case "failed":
      return problem(
        "The last migration of the database has failed.",
        "Run cloudwright migrate, and follow what it says.",
      );
  }
}
