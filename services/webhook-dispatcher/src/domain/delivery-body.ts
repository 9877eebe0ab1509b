/** What of a delivery the receiver sees. */
export interface DeliveredEvent {
  event_type: string;
  delivery_id: string;
  occurred_at: string;
  /** JSON text, goes into the body as it is. */
  payload: string;
}

/** The body of every attempt of a delivery (specification, Delivery format). */
export function deliveryBody({ event_type, delivery_id, occurred_at, payload }: DeliveredEvent): string {
  const event = JSON.stringify(event_type);
  return `{"event":${event},"delivery_id":"${delivery_id}","occurred_at":"${occurred_at}","data":${payload}}`;
}
