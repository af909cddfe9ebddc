"use client";
import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { DataProvider } from "../../components/api-provider.tsx";
import { mantineTheme } from "../../theme/mantine-theme.ts";

/** The providers around every page: the theme, and the client for the server's data. */
export function PageProviders({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider theme={mantineTheme} defaultColorScheme="auto" deduplicateCssVariables>
      <DataProvider>{children}</DataProvider>
    </MantineProvider>
  );
}
