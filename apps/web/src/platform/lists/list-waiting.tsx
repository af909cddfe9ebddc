import { ErrorState, type PendingQuery, Skeleton } from "../../components/page/panel-states.tsx";
import styles from "./list-waiting.module.css";

/** What stands in the place of a list that has not come yet. */
export function ListWaiting({ query }: { readonly query: PendingQuery }) {
  if (!query.isError) return <Skeleton lines={12} />;
  return (
    <div className={styles.failed}>
      <ErrorState error={query.error} retry={() => void query.refetch()} />
    </div>
  );
}
