"use client";
// biome-ignore lint/style/noRestrictedImports: every other file takes it from here.
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link within the dashboard. Its page is prefetched when the pointer or the focus reaches the link, not when it comes into view: a page
 * shows dozens of links, and few are followed. `prefetch={false}` prefetches nothing.
 */
export function Link({ prefetch, ...link }: ComponentProps<typeof NextLink>) {
  const [isMeant, setMeant] = useState(false);
  const mean = () => setMeant(true);
  return (
    <NextLink
      {...link}
      prefetch={isMeant && prefetch !== false ? null : false}
      onPointerEnter={(event) => {
        mean();
        link.onPointerEnter?.(event);
      }}
      onTouchStart={(event) => {
        mean();
        link.onTouchStart?.(event);
      }}
      onFocus={(event) => {
        mean();
        link.onFocus?.(event);
      }}
    />
  );
}
