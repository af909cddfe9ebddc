"use client";
import {
  type KeptPreferences,
  PREFERENCE_NAMES,
  type PreferenceName,
} from "@cloudwright/core/model/preferences";
import { useEffect, useLayoutEffect, useState } from "react";
import { z } from "zod/mini";
import { useApiClient } from "../../components/api.ts";
import {
  changePreferences,
  chosenHere,
  completed,
  currentPreferences,
  type Preferences,
  pickPreferences,
  subscribeToPreferences,
} from "../../components/preferences.ts";

interface Account {
  readonly id: string;
  /** As the server read them with the session; undefined if nothing was chosen yet. */
  readonly preferences?: KeptPreferences | undefined;
}

type HiddenColumns = NonNullable<KeptPreferences["hiddenColumns"]>;

/** The delay after the last change before it is sent: a key that is held down makes one request, not fifty. */
const PAUSE_MS = 500;
/** Stores the names of unsent preferences, in case the page is left before they are sent. */
const UNSENT_KEY = "cloudwright.preferences.unsent";

/** Applies the account's preferences to the pages, and saves changes with the account. Returns the preferences of the first render. */
export function useAccountPreferences(account: Account): Preferences {
  const client = useApiClient();
  const [first] = useState(() => completed(account.preferences));
  // Runs before anything is painted, and before other parts compare the server's rendering with this browser's state.
  useLayoutEffect(() => takeOver(account), [account]);
  useEffect(
    () => keepChanges(account.id, (changed) => client.preferences.keep.mutate(changed)),
    [account.id, client],
  );
  return first;
}

/** The user whose preferences were applied: once per page load, because what arrives later may be older than a change. */
let shownOf: string | undefined;
/** That user's hidden columns, as the account had them then and as they were sent since. */
let keptColumns: HiddenColumns = {};

function takeOver({ id, preferences }: Account): void {
  if (shownOf === id) return;
  shownOf = id;
  keptColumns = preferences?.hiddenColumns ?? {};
  if (preferences === undefined) {
    keepUnsent(id, chosenHere());
    return;
  }
  const kept = completed(preferences);
  const unsent = new Set(unsentOf(id));
  const names = PREFERENCE_NAMES.filter((name) => name in preferences && !unsent.has(name));
  changePreferences(() => pickPreferences(kept, names));
}

/** Sends changes, and what was not sent the last time. Returns a function that stops it. */
function keepChanges(id: string, send: (changed: KeptPreferences) => Promise<unknown>): () => void {
  let before = currentPreferences();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendAll = () => {
    const names = unsentOf(id);
    const changed = pickPreferences(currentPreferences(), names);
    const { hiddenColumns } = changed;
    const tables = hiddenColumns && changedTables(hiddenColumns);
    // What cannot be sent now is sent with the next change, or from the next page.
    send(tables === undefined ? changed : { ...changed, hiddenColumns: tables }).then(
      () => {
        keptColumns = { ...keptColumns, ...tables };
        forgetSent(id, changed);
      },
      () => undefined,
    );
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(sendAll, PAUSE_MS);
  };
  const onChange = () => {
    const now = currentPreferences();
    const changed = PREFERENCE_NAMES.filter((name) => now[name] !== before[name]);
    before = now;
    if (changed.length === 0) return;
    keepUnsent(id, [...unsentOf(id), ...changed]);
    later();
  };
  if (unsentOf(id).length > 0) later();
  const unsubscribe = subscribeToPreferences(onChange);
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
}

/** Returns the tables that were changed here: another browser may have changed the others since the page was loaded. */
function changedTables(hidden: HiddenColumns): HiddenColumns {
  return Object.fromEntries(
    Object.entries(hidden).filter(([table, ids]) => ids.join() !== keptColumns[table]?.join()),
  );
}

const unsentSchema = z.catch(
  z.optional(z.object({ of: z.string(), names: z.array(z.enum(PREFERENCE_NAMES)) })),
  undefined,
);
/** Valid for this page, whether or not storage is allowed. */
let unsent: z.infer<typeof unsentSchema>;

function unsentOf(id: string): readonly PreferenceName[] {
  unsent ??= storedUnsent();
  return unsent?.of === id ? unsent.names : [];
}

function keepUnsent(id: string, names: readonly PreferenceName[]): void {
  unsent = { of: id, names: [...new Set(names)] };
  try {
    localStorage.setItem(UNSENT_KEY, JSON.stringify(unsent));
  } catch {
    // Without storage, it is sent from this page or not at all.
  }
}

/** What has changed again during sending is sent again. */
function forgetSent(id: string, sent: KeptPreferences): void {
  const now = currentPreferences();
  keepUnsent(
    id,
    unsentOf(id).filter((name) => now[name] !== sent[name]),
  );
}

function storedUnsent(): typeof unsent {
  try {
    return unsentSchema.parse(JSON.parse(localStorage.getItem(UNSENT_KEY) ?? "null"));
  } catch {
    return undefined;
  }
}
