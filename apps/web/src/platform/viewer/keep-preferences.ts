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
  /** As the server read them with the session; undefined where nothing was chosen yet. */
  readonly preferences?: KeptPreferences | undefined;
}

/** So long after the last change it is sent: a key that is held down makes one request and not fifty. */
const PAUSE_MS = 500;
/** Names of what the account does not have yet, for a page that is left before it was sent. */
const UNSENT_KEY = "cloudwright.preferences.unsent";

/** Shows the pages as the account has them, and keeps with it what is changed. Answers with what the first picture is drawn. */
export function useAccountPreferences(account: Account): Preferences {
  const client = useApiClient();
  const [first] = useState(() => completed(account.preferences));
  // Before anything is painted, and before other parts compare what the server drew with what is so here.
  useLayoutEffect(() => takeOver(account), [account]);
  useEffect(
    () => keepChanges(account.id, (changed) => client.preferences.keep.mutate(changed)),
    [account.id, client],
  );
  return first;
}

/** Whose preferences the pages show: once for each load of the page, as what comes later may be older than a change. */
let shownOf: string | undefined;

function takeOver({ id, preferences }: Account): void {
  if (shownOf === id) return;
  shownOf = id;
  if (preferences === undefined) {
    keepUnsent(id, chosenHere());
    return;
  }
  const kept = completed(preferences);
  const unsent = new Set(unsentOf(id));
  const names = PREFERENCE_NAMES.filter((name) => name in preferences && !unsent.has(name));
  changePreferences(() => pickPreferences(kept, names));
}

/** Sends what changes, and what was not sent the last time. Answers what ends it. */
function keepChanges(id: string, send: (changed: KeptPreferences) => Promise<unknown>): () => void {
  let before = currentPreferences();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendAll = () => {
    const names = unsentOf(id);
    const changed = pickPreferences(currentPreferences(), names);
    // What cannot be sent now is sent with the next change, or from the next page.
    send(changed).then(
      () => forgetSent(id, changed),
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

const unsentSchema = z.catch(
  z.optional(z.object({ of: z.string(), names: z.array(z.enum(PREFERENCE_NAMES)) })),
  undefined,
);
/** Of this page, whether or not the storage may be used. */
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
    // It is sent from this page, or not at all.
  }
}

/** What has changed once more while it was sent is sent again. */
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
