"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useRouter } from "next/navigation";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import type { FoundEntry } from "./found-entries.ts";
import type { Line } from "./palette-dialog.tsx";
import type { Jump } from "./palette-pages.ts";
import type { SettingEntry } from "./palette-settings.ts";

export type Go = (href: string) => () => void;

export function useGo(): Go {
  const router = useRouter();
  return (href) => () => router.push(href);
}

export function jumpLine({ label, href }: Jump, go: Go): Line {
  return { id: href, label, run: go(href) };
}

export function settingLine({ label, isSet, set }: SettingEntry): Line {
  return { id: `set ${label}`, label, description: isSet ? t`Current setting` : "", run: set };
}

export function foundLine({ href, label, description, status }: FoundEntry, go: Go): Line {
  return {
    ...{ id: href, label, description, run: go(href) },
    section: status === undefined ? null : <StatusIcon status={status} />,
  };
}
