import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@mantine/core/styles.css";
import "@mantine/spotlight/styles.css";
import "../theme/tokens.css";
import "../theme/base.css";
import "../theme/parts.css";
import "../theme/mantine.css";
import "../theme/freshness.css";
import "../theme/forced-colours.css";
import { ColorSchemeScript } from "@mantine/core";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { PageProviders } from "../platform/shell/page-providers.tsx";
import { messagesAddress } from "../server/language/messages-script.ts";

export function generateMetadata(): Metadata {
  return {
    title: { default: "Cloudwright", template: "%s · Cloudwright" },
    description: t`What the cloud controller manager decides, and why.`,
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f5f6f8" },
    { media: "(prefers-color-scheme: dark)", color: "#0b0d10" },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const withNonce = nonce === undefined ? {} : { nonce };
  const language = currentLanguage();
  // Not async: the page's own scripts find its messages there.
  const messages = messagesAddress(language);
  return (
    <html lang={language} suppressHydrationWarning>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" {...withNonce} />
        {messages === undefined ? null : <script src={messages} {...withNonce} />}
      </head>
      <body>
        <PageProviders>{children}</PageProviders>
      </body>
    </html>
  );
}
