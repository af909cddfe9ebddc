import Link from "next/link";
import { EmptyState } from "../components/panel-states.tsx";

export default function NotFound() {
  return (
    <main>
      <EmptyState title="There is no such page">
        <Link href="/">Go to the clusters</Link>
      </EmptyState>
    </main>
  );
}
