import { z } from "zod/mini";
import { LANGUAGES } from "./language/languages.ts";

/** An id of a column or a table, as the dashboard's own code names them. */
const idSchema = z.string().check(z.regex(/^[a-z][a-zA-Z0-9-]{0,39}$/));
/** `local`, `UTC`, or a name of the IANA list, which not every browser and server knows in the same release. */
const zoneSchema = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/));
const COLUMNS_MOST = 40;
const TABLES_MOST = 50;

/** What a user prefers wherever they sign in, one by one. What depends on the screen, such as widths, is not among them. */
export const PREFERENCES = {
  time: z.enum(["relative", "absolute"]),
  zone: zoneSchema,
  /** What the button in the bar leads back to from UTC. */
  ownZone: zoneSchema,
  /** `browser`: the one that the browser asks for. */
  language: z.enum(["browser", ...LANGUAGES]),
  density: z.enum(["compact", "normal", "comfortable"]),
  /** Ids of hidden columns by table. */
  hiddenColumns: z
    .record(idSchema, z.array(idSchema).check(z.maxLength(COLUMNS_MOST)))
    .check(z.refine((tables) => Object.keys(tables).length <= TABLES_MOST)),
  /** Single keys can be turned off, for those who speak to their computer (WCAG 2.1.4). */
  shortcuts: z.boolean(),
} as const;
export type PreferenceName = keyof typeof PREFERENCES;
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[];

/** Some of them: those that were ever chosen, or that change. */
export const keptPreferencesSchema = z.partial(z.strictObject(PREFERENCES));
export type KeptPreferences = z.infer<typeof keptPreferencesSchema>;
