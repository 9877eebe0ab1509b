/** A carrier's route as the routing decision sees it (specification "Carrier route"). */
export interface RoutingRoute {
  readonly id: string;
  readonly carrierId: string;
  /** `^\+[0-9]{0,15}$`; a bare `+` matches every number. */
  readonly prefix: string;
  /** Higher wins among carriers of one priority. */
  readonly priority: number;
  /** Per minute, in `rateCurrency`; null when the route has none. */
  readonly rate: number | null;
  readonly rateCurrency: string;
}
