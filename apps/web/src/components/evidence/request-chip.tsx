"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useParams } from "next/navigation";
import { CopyButton } from "../button/copy-button.tsx";
import { Link } from "../link.tsx";
import { addresses } from "../url/addresses.ts";
import styles from "./request-chip.module.css";
import { REQUEST_ID_SHOWN } from "./request-parts.ts";

/** The id of a cloud call: its first characters link to the run that made the call, and the button copies the whole id. */
export function RequestChip({ id }: { readonly id: string }) {
  const { cluster } = useParams<{ cluster: string }>();
  return (
    <span className={`inline-flex centred nowrap small on-surface ${styles.chip}`}>
      <Link
        href={addresses.request(cluster, id)}
        prefetch={false}
        title={t`Request ${id}: open its run`}
        aria-label={t`Request ${id.slice(0, REQUEST_ID_SHOWN)}, open its run`}
      >
        {id.slice(0, REQUEST_ID_SHOWN)}
      </Link>
      <CopyButton text={id} label={t`Copy the request ID ${id}`} />
    </span>
  );
}
