import Link from "next/link";
import { LonePage } from "../components/lone-page.tsx";

export default function NotFound() {
  return (
    <LonePage title="There is no such page">
      <p>
        The address may be cut short. <Link href="/">Go to the clusters</Link>.
      </p>
    </LonePage>
  );
}
