import { Gauge, type Registry } from "prom-client";

/** The certificate that one of our servers presents. */
export interface ShownCertificate {
  /** `https` or `webhooks`. */
  readonly server: string;
  /** Milliseconds since the epoch. */
  expiresAt(): number;
  /** Undefined while the server uses the current content of its files. */
  problem(): string | undefined;
}

/** For alerts on certificates that expire soon, and on files that cannot be used. */
export function readCertificatesAtScrape(
  registry: Registry,
  shown: () => readonly ShownCertificate[],
): void {
  const gauge = (name: string, help: string, read: (certificate: ShownCertificate) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["server"],
      registers: [registry],
      collect() {
        this.reset();
        for (const certificate of shown()) {
          this.set({ server: certificate.server }, read(certificate));
        }
      },
    });
  gauge(
    "cloudwright_certificate_expiry_timestamp_seconds",
    "When the certificate of a server of this process expires.",
    (certificate) => certificate.expiresAt() / 1_000,
  );
  gauge(
    "cloudwright_certificate_files_unusable",
    "1 while a server's certificate files cannot be used and the previous pair stays in use.",
    (certificate) => (certificate.problem() === undefined ? 0 : 1),
  );
}
