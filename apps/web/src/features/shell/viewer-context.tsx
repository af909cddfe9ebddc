"use client";
import type { Role } from "@cloudwright/core/model/roles";
import { createContext, type ReactNode, useContext } from "react";

export interface SignedIn {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

const ViewerContext = createContext<SignedIn>({ name: "", email: "", role: "viewer" });

/** Who is signed in. It only decides what the page offers; the server decides what is done. */
export function ViewerProvider({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

export function useViewer(): SignedIn {
  return useContext(ViewerContext);
}
