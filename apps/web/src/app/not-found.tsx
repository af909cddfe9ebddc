import { t } from "@cloudwright/core/model/language/text";
import { mixed } from "../components/language/mixed-text.ts";
import { Link } from "../components/link.tsx";
import { LonePage } from "../components/page/lone-page.tsx";

export default function NotFound() {
  return (
    <LonePage title={t`There is no such page`}>
      <p>
        {mixed`The address may be incomplete. ${<Link href="/">{t`Go to the clusters`}</Link>}.`}
      </p>
    </LonePage>
  );
}
