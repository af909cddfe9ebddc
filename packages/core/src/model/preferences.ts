import { z } from "zod/mini";
import { LANGUAGES } from "./language/languages.ts";

/** The id of a column or a table in the dashboard's code. */
const idSchema = z.string().check(z.regex(/^[a-z][a-zA-Z0-9-]{0,39}$/));
/** `local`, `UTC`, or a name of the IANA list, which may differ between browsers and servers. */
const zoneSchema = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/));
const COLUMNS_MOST = 40;
const TABLES_MOST = 50;

/** The single keys that a user can rebind, by their defaults. */
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

/** Returns the current key. */
export function chosenKey(keys: ChosenKeys, key: BoundKey): string {
  return keys[key] ?? key;
}

/** One visible character: Space, Enter and Escape keep their functions. */
const keySchema = z.string().check(z.regex(/^[^\p{C}\p{Z}]$/u));

/** A user's preferences on all devices. Anything that depends on the screen, such as widths, is not included. */
export const PREFERENCES = {
  time: z.enum(["relative", "absolute"]),
  zone: zoneSchema,
  /** The zone to which the button in the bar returns from UTC. */
  ownZone: zoneSchema,
  /** `browser`: the browser's preferred language. */
  language: z.enum(["browser", ...LANGUAGES]),
  density: z.enum(["compact", "normal", "comfortable"]),
  /** Ids of hidden columns by table. */
  hiddenColumns: z
    .record(idSchema, z.array(idSchema).check(z.maxLength(COLUMNS_MOST)))
    .check(z.refine((tables) => Object.keys(tables).length <= TABLES_MOST)),
  /** Single keys can be turned off, for users of speech input (WCAG 2.1.4). */
  shortcuts: z.boolean(),
  /** The keys may also be rebound, each to one function. */
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

/** A part of them: those that were ever set, or that change. */
export const keptPreferencesSchema = z.partial(z.strictObject(PREFERENCES));
export type KeptPreferences = z.infer<typeof keptPreferencesSchema>;
