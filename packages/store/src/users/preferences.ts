import {
  type KeptPreferences,
  PREFERENCE_NAMES,
  PREFERENCES,
} from "@cloudwright/core/model/preferences";
import type { Database } from "../database/database.ts";
import type { VerbContext } from "../operations/verb.ts";

/** What a user has chosen so far; undefined for one who has chosen nothing yet. */
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
      // What a later release writes may not be known here.
      const { success, data } = PREFERENCES[name].safeParse(values.get(name));
      return success ? [[name, data]] : [];
    }),
  );
}

/**
 * Keeps what a user has chosen for themselves; of two browsers the last one wins, one preference at a time. It is no part of the
 * audit: it changes what this one user sees, and nothing in a cluster, in a cloud or about an account, and a column shown or
 * hidden a hundred times a day would bury what the audit is read for.
 */
export async function keepPreferences(
  { db, actor: { id: userId } }: Pick<VerbContext, "db" | "actor">,
  preferences: KeptPreferences,
): Promise<void> {
  // Each is a statement of its own: one that is kept is right without the others.
  for (const name of PREFERENCE_NAMES) {
    const value = preferences[name];
    if (value === undefined) continue;
    await db.prisma.userPreference.upsert({
      where: { userId_name: { userId, name } },
      create: { userId, name, value },
      update: { value },
    });
  }
}
