import page from "./page.module.css";

/** Says which parts of an address were not understood, so that nobody trusts a filter that is not on. */
export function DroppedNote({ dropped }: { readonly dropped: readonly string[] }) {
  if (dropped.length === 0) return null;
  return (
    <p className={page.note} role="status">
      This address holds what the page does not know, and it was left out: {dropped.join(", ")}.
    </p>
  );
}
