/** Printable ASCII without blanks at the ends: it travels in a header of the delivery. */
export const EVENT_NAME = /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/;
