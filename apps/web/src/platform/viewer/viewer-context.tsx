"use client";
import type { KeptPreferences } from "@cloudwright/core/model/preferences";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useChosenLanguage } from "../../components/language/chosen-language.ts";
import { TrailOwnerProvider } from "../../components/neighbours/kept-trail.ts";
import { FirstPreferencesProvider } from "../../components/preferences.ts";
import { useAccountPreferences } from "./keep-preferences.ts";
import { useViewAs } from "./view-as.ts";

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The user's preferences, wherever they sign in; undefined if they have not chosen anything yet. */
  readonly preferences?: KeptPreferences | undefined;
}

export interface ViewerOfPage extends SignedIn {
  /** The role that the pages act on: the user's own, or a lesser one that is being previewed. */
  readonly role: Role;
  /** The role that the server checks. */
  readonly ownRole: Role;
}

const NO_USER = { id: "", name: "", email: "", role: "viewer", ownRole: "viewer" } as const;
const ViewerContext = createContext<ViewerOfPage>(NO_USER);

/** Provides the signed-in user. This only decides what the page offers; the server decides what is permitted. */
export function ViewerProvider({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  const tried = useViewAs();
  const first = useAccountPreferences(viewer);
  useChosenLanguage();
  const value = useMemo(() => {
    const mayTry = tried !== undefined && roleIncludes(viewer.role, tried);
    return { ...viewer, role: mayTry ? tried : viewer.role, ownRole: viewer.role };
  }, [viewer, tried]);
  return (
    <FirstPreferencesProvider value={first}>
      <TrailOwnerProvider value={viewer.id}>
        <ViewerContext value={value}>{children}</ViewerContext>
      </TrailOwnerProvider>
    </FirstPreferencesProvider>
  );
}

export function useViewer(): ViewerOfPage {
  return useContext(ViewerContext);
}
