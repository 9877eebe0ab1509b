import fc from 'fast-check';
import { deliveryBody } from './delivery-body.js';

const delivery_id = '7d4c1e1e-6b5a-4f6e-9d43-6e1b2f0c9a11';
const occurred_at = '2026-01-15T12:00:00.000Z';

test('has four fields in the order of the specification, and the payload as it came', () => {
  const payload = '{ "b":1.0,\n "a" : "\\u00e9é😀", "b": 1e3 }';
  expect(deliveryBody({ event_type: 'order.paid', delivery_id, occurred_at, payload })).toBe(
    `{"event":"order.paid","delivery_id":"${delivery_id}","occurred_at":"${occurred_at}","data":${payload}}`,
  );
});

test('property: it is JSON and says what went in, whatever the event and the payload', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.json(), (event_type, payload) => {
      const body = deliveryBody({ event_type, delivery_id, occurred_at, payload });
      expect(JSON.parse(body)).toEqual({
        event: event_type,
        delivery_id,
        occurred_at,
        data: JSON.parse(payload),
      });
    }),
  );
});
