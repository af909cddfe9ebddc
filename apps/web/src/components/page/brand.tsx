import styles from "./brand.module.css";

export function Brand() {
  return (
    <span className={`flex centred lead heavy tight ${styles.brand}`}>
      <svg
        width="22"
        height="22"
        viewBox="0 0 32 32"
        aria-hidden="true"
        className={`rigid ${styles.mark}`}
      >
        <rect width="32" height="32" rx="8" />
        <path d="M9 21.5h13.2a4.3 4.3 0 0 0 .5-8.57A6.6 6.6 0 0 0 10 11.9a4.9 4.9 0 0 0-1 9.6Z" />
        <path d="m12.6 16.6 2.5 2.5 4.6-4.8" />
      </svg>
      Cloudwright
    </span>
  );
}
