import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";

/** Replaces a page whose controller does not run and has left nothing to show: says why, and how to turn it on. */
export function IdlePage({
  title,
  controller,
  children,
}: {
  readonly title: string;
  /** `route controller`. */
  readonly controller: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{title}</h1>
      </header>
      <EmptyState isCard title={t`The ${controller} is not running here`}>
        {children}
      </EmptyState>
    </div>
  );
}

/** Stands above what such a controller has left. */
export function IdleNote({ controller }: { readonly controller: string }) {
  return (
    <p className={`pad-2-3 small round-small ${page.note}`} role="status">
      {mixed`The ${controller} is not running here now: what follows is what it last observed.`}
    </p>
  );
}
