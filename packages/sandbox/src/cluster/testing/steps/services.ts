import { create, MERGE, patch, removeAt } from "../comparison.ts";

export const SERVICES = "/api/v1/namespaces/default/services";
export const LB = `${SERVICES}/lb`;
export const LB_STATUS = `${LB}/status`;
export const HTTP = { name: "http", port: 80 };
export const HTTPS = { name: "https", port: 443 };

export const service = (name: string, spec: object, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec,
});
export const web = (name: string, spec: object = {}) =>
  create(SERVICES, service(name, { selector: { app: "web" }, ports: [{ port: 80 }], ...spec }));
export const loadBalancer = (name: string, spec: object = {}) =>
  web(name, { type: "LoadBalancer", ...spec });
export const merge = (name: string, spec: object) => patch(`${SERVICES}/${name}`, MERGE, { spec });
export const remove = (name: string) => removeAt(`${SERVICES}/${name}`);
export const status = (type: string, body: unknown) => patch(LB_STATUS, type, body);
export const ingress = (...points: object[]) => ({ status: { loadBalancer: { ingress: points } } });
