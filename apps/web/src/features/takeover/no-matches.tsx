import { Button } from "../../components/button/button.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";

/** In the place of a list whose filter leaves nothing. */
export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState title="Nothing in this list matches the filter">
      <Button onClick={onClear}>Show all</Button>
    </EmptyState>
  );
}
