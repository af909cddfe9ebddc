import { ROLES, type Role } from "@cloudwright/core/model/roles";
import { createSignInLink, LOCAL_ADMIN } from "@cloudwright/store/users/sign-in";
import type { Command } from "commander";
import { oneOf } from "../flags/kinds.ts";
import { PlainError } from "../plain-error.ts";
import { requireBaseUrl } from "./dashboard/addresses.ts";
import { withLedger } from "./ledger/ledger-selection.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  localInstance,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { durationOption, option } from "./terminal/options.ts";
import { print } from "./terminal/print.ts";

interface SignInLinkFlags extends DatabaseFlags {
  readonly baseUrl?: string;
  readonly email: string;
  readonly role?: Role;
  readonly lifetime: number;
}

const DEFAULT_BASE_URL = "http://127.0.0.1:3000";

/** `cloudwright sign-in-link`: prints the link on one line. Anyone who may write to the database may sign in. */
export function addSignInLinkCommand(root: Command): void {
  root
    .command("sign-in-link")
    .description("print a one-time link that signs a user in to the dashboard")
    .option("--base-url <url>", "address of the dashboard; if not given, that of npm start")
    .option(
      "--email <address>",
      "the user to sign in; a new one is created if there are no users yet, or if --role is given",
      LOCAL_ADMIN,
    )
    .option(
      "--role <role>",
      `${ROLES.join(", ")}; if not given, users keep their role, and the first user becomes admin`,
      option(oneOf(ROLES)),
    )
    .addOption(durationOption("--lifetime <duration>", "how long the link is valid", 900_000))
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(async (given: SignInLinkFlags) => {
      refuseUselessLink(given);
      const link = await withLedger(requireDatabaseUrl(given), (db) =>
        createSignInLink(db, {
          baseUrl: given.baseUrl ?? localInstance(given.data)?.dashboard ?? DEFAULT_BASE_URL,
          email: given.email,
          role: given.role,
          lifetimeMs: given.lifetime,
        }),
      );
      await print(`${link}\n`);
    });
}

/** Refuses a link that leads nowhere, or that would expire before it can be used. Throws PlainError. */
function refuseUselessLink({ baseUrl, lifetime }: SignInLinkFlags): void {
  if (baseUrl !== undefined) requireBaseUrl("--base-url", baseUrl, DEFAULT_BASE_URL);
  if (lifetime <= 0) throw new PlainError("--lifetime must be more than 0s.");
}
