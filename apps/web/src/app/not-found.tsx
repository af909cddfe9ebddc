import { Link } from "../components/link.tsx";
import { LonePage } from "../components/page/lone-page.tsx";

export default function NotFound() {
  return (
    <LonePage title="There is no such page">
      <p>
        The address may be incomplete. <Link href="/">Go to the clusters</Link>.
      </p>
    </LonePage>
  );
}
