import type Joi from 'joi';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One environment variable: its rule (with default and unit) and what it is for. */
export interface Setting<T> {
  variable: string;
  schema: Joi.Schema;
  purpose: string;
  /** Never set; carries the type. */
  readonly type?: T;
}

export function setting<T>(variable: string, schema: Joi.Schema<T>, purpose: string): Setting<T> {
  return { variable, schema, purpose };
}

export interface ConfigDefinition<Config> {
  settings: readonly Setting<unknown>[];
  /** Typed, frozen configuration; throws one error that names every bad or missing variable. */
  read(environment: Environment): Readonly<Config>;
}

export function defineConfig<Config extends object>(settings: {
  [K in keyof Config]: Setting<Config[K]>;
}): ConfigDefinition<Config> {
  const entries = Object.entries(settings) as [string, Setting<unknown>][];
  return {
    settings: entries.map(([, each]) => each),
    read(environment) {
      const config: Record<string, unknown> = {};
      const problems: string[] = [];
      for (const [key, { variable, schema, purpose }] of entries) {
        const given = environment[variable] === '' ? undefined : environment[variable];
        const { value, error } = schema.label(variable).validate(given, { errors: { wrap: { label: '' } } });
        if (error) problems.push(`${error.message} (${purpose})`);
        config[key] = value;
      }
      if (problems.length) throw new Error(`The configuration is not usable:\n  ${problems.join('\n  ')}`);
      return Object.freeze(config) as Readonly<Config>;
    },
  };
}
