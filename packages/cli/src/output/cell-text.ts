/** A value of an answer as text on one line; `-` for nothing. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellText).join(', ');
  if (typeof value === 'object') return printable(JSON.stringify(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value));
}

/** Control characters could repaint the terminal: names and messages are other people's text. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    },
  );
}
