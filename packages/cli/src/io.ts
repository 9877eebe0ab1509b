/** Where text goes; `process.stdout` is one. */
export interface TextSink {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** What a run touches of the outside, besides the API. `process` is one. */
export interface Io {
  stdout: TextSink;
  stderr: TextSink;
  stdin: AsyncIterable<string | Uint8Array> & { isTTY?: boolean | undefined };
  env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** Colour is for people: a terminal that does not ask for plain text (https://no-color.org). */
export function hasColor(sink: TextSink, env: Io['env']): boolean {
  return sink.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
