"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { Link } from "../../components/link.tsx";
import { Brand } from "../../components/page/brand.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type SignedIn, ViewerProvider } from "../../platform/viewer/viewer-context.tsx";
import styles from "./settings.module.css";

/** The settings before any cluster has reported: users can be added while the first controller is being set up. */
export function SettingsFrame({
  viewer,
  children,
}: {
  readonly viewer: SignedIn;
  readonly children: ReactNode;
}) {
  return (
    <ViewerProvider viewer={viewer}>
      <header className={`flex centred on-surface line-below ${styles.bar}`}>
        <Link href={addresses.clusters()} aria-label={t`Cloudwright, clusters`}>
          <Brand />
        </Link>
      </header>
      <main>{children}</main>
    </ViewerProvider>
  );
}
