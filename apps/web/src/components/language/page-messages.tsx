"use client";
import { usePathname } from "next/navigation";
import { type ReactNode, use, useState } from "react";
import { messagesFor } from "./fetched-messages.ts";

/**
 * What every page stands in: the first one was sent with its messages, and any other is drawn when those of all pages have come. Until
 * then the page before it stays.
 */
export function PageMessages({ children }: { readonly children: ReactNode }) {
  const path = usePathname();
  const [first] = useState(path);
  const coming = path === first ? undefined : messagesFor(path);
  if (coming !== undefined) use(coming);
  return children;
}
