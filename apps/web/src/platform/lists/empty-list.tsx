"use client";
import type { ReactNode } from "react";
import { Button } from "../../components/button/button.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";

interface EmptyListProps {
  /** `load balancer`, for one of the rows. */
  readonly thing: string;
  /** What the button that leaves the filter says. */
  readonly all?: string;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** What is said where the list would be empty without a filter as well. */
  readonly none: ReactNode;
}

/** In the place of a list without a row: the filter leaves out what there is, or nothing is there. */
export function EmptyList({
  thing,
  all = `Show all ${thing}s`,
  isFiltered,
  onClear,
  none,
}: EmptyListProps) {
  if (!isFiltered) return none;
  return (
    <EmptyState title={`No ${thing} matches this filter`}>
      <Button onClick={onClear}>{all}</Button>
    </EmptyState>
  );
}
