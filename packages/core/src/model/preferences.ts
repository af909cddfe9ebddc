import { z } from "zod/mini";
import { LANGUAGES } from "./language/languages.ts";

/** An id of a column or a table, as the dashboard's own code names them. */
const idSchema = z.string().check(z.regex(/^[a-z][a-zA-Z0-9-]{0,39}$/));
/** `local`, `UTC`, or a name of the IANA list, which not every browser and server knows in the same release. */
const zoneSchema = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/));
const COLUMNS_MOST = 40;
const TABLES_MOST = 50;

/** The single keys to which a user can give another one, by what they are at first. */
export const BOUND_KEYS = [
  "/",
  "j",
  "k",
  "o",
  "x",
  "[",
  "]",
  "f",
  "g",
  "r",
  "p",
  "t",
  "d",
  "?",
] as const;
export type BoundKey = (typeof BOUND_KEYS)[number];
export type ChosenKeys = Readonly<Partial<Record<BoundKey, string>>>;

/** A key as it is now. */
export function chosenKey(keys: ChosenKeys, key: BoundKey): string {
  return keys[key] ?? key;
}

/** One character that shows: Space, Enter and Escape keep what they do. */
const keySchema = z.string().check(z.regex(/^[^\p{C}\p{Z}]$/u));

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
  /** Or be other ones, each of which does one thing. */
  keys: z
    .partialRecord(z.enum(BOUND_KEYS), keySchema)
    .check(
      z.refine(
        (keys) => new Set(BOUND_KEYS.map((key) => chosenKey(keys, key))).size === BOUND_KEYS.length,
      ),
    ),
} as const;
export type PreferenceName = keyof typeof PREFERENCES;
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[];

/** Some of them: those that were ever chosen, or that change. */
export const keptPreferencesSchema = z.partial(z.strictObject(PREFERENCES));
export type KeptPreferences = z.infer<typeof keptPreferencesSchema>;
