import {
  type KeptPreferences,
  PREFERENCE_NAMES,
  PREFERENCES,
} from "@cloudwright/core/model/preferences";
import type { Database } from "../database/database.ts";
import type { Prisma } from "../generated/client.ts";
import type { VerbContext } from "../operations/verb.ts";
import { lockUserRow } from "../sql/users.ts";

/** Returns a user's preferences; undefined for a user who has none yet. */
export async function preferencesOf(
  db: Database,
  userId: string,
): Promise<KeptPreferences | undefined> {
  const rows = await db.prisma.userPreference.findMany({
    where: { userId },
    select: { name: true, value: true },
  });
  if (rows.length === 0) return undefined;
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    PREFERENCE_NAMES.flatMap((name) => {
      // A later release may have written a value that is unknown here.
      const { success, data } = PREFERENCES[name].safeParse(values.get(name));
      return success ? [[name, data]] : [];
    }),
  );
}

/**
 * Stores a user's own preferences; of two browsers the last one wins, one preference at a time, and one table's hidden columns at a time.
 * They are not audited: they change only what this user sees, and nothing in a cluster, in a cloud or about an account, and a column shown
 * or hidden a hundred times a day would bury the entries that matter.
 */
export async function keepPreferences(
  { db, actor: { id: userId } }: Pick<VerbContext, "db" | "actor">,
  preferences: KeptPreferences,
): Promise<void> {
  // Each is a statement of its own: one that is stored is valid without the others.
  for (const name of PREFERENCE_NAMES) {
    const value = preferences[name];
    if (value === undefined) continue;
    if (name === "hiddenColumns") await keepHiddenColumns(db, userId, preferences.hiddenColumns);
    else await keepValue(db.prisma, { userId, name, value });
  }
}

async function keepValue(
  tx: Prisma.TransactionClient,
  { userId, name, value }: Prisma.UserPreferenceUncheckedCreateInput,
): Promise<void> {
  await tx.userPreference.upsert({
    where: { userId_name: { userId, name } },
    create: { userId, name, value },
    update: { value },
  });
}

/** Keeps those of the tables that are not given, as far as all of them together are valid. */
async function keepHiddenColumns(
  db: Database,
  userId: string,
  given: KeptPreferences["hiddenColumns"] = {},
): Promise<void> {
  const name = "hiddenColumns";
  await db.prisma.$transaction(async (tx) => {
    await lockUserRow(tx, userId);
    const row = await tx.userPreference.findUnique({ where: { userId_name: { userId, name } } });
    const known = PREFERENCES[name].safeParse(row?.value);
    const all = PREFERENCES[name].safeParse({ ...known.data, ...given });
    await keepValue(tx, { userId, name, value: all.data ?? given });
  });
}
