// Fetches the jars of the real Kafka broker by Maven, once: for tests and `pnpm stack`. Prints the folder they lie in.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const KAFKA_VERSION = '4.1.0';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>trunkline</groupId><artifactId>kafka-jars</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
  </dependencies>
</project>
`;

/** Where the jars lie, or will: `$TRUNKLINE_KAFKA_HOME`, or a folder of the user's cache. */
export function kafkaHome() {
  return (
    process.env.TRUNKLINE_KAFKA_HOME ||
    path.join(os.homedir(), '.cache', 'trunkline', `kafka-${KAFKA_VERSION}`)
  );
}

/** Answers the folder of the jars; some 45 MB and ten seconds the first time. */
export function fetchKafkaJars(report = () => {}) {
  const home = kafkaHome();
  const libs = path.join(home, 'libs');
  if (fs.existsSync(path.join(libs, `kafka_2.13-${KAFKA_VERSION}.jar`))) return libs;
  report(`fetching Kafka ${KAFKA_VERSION} by Maven into ${home} …`);
  fs.mkdirSync(path.dirname(home), { recursive: true });
  // Made beside it and moved: an interrupted run leaves nothing half-made in its place.
  const draft = fs.mkdtempSync(`${home}-draft-`);
  fs.writeFileSync(path.join(draft, 'pom.xml'), POM);
  const copied = spawnSync(
    'mvn',
    [
      ...['-q', '-B', '-f', path.join(draft, 'pom.xml'), 'dependency:copy-dependencies'],
      ...[`-DoutputDirectory=${path.join(draft, 'libs')}`, '-DincludeScope=runtime'],
    ],
    { encoding: 'utf8', timeout: 300_000 },
  );
  if (copied.status !== 0)
    throw new Error(`Maven could not fetch Kafka: ${copied.error?.message ?? copied.stdout + copied.stderr}`);
  fs.mkdirSync(home, { recursive: true });
  fs.rmSync(libs, { recursive: true, force: true });
  fs.renameSync(path.join(draft, 'libs'), libs);
  fs.rmSync(draft, { recursive: true });
  return libs;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(fetchKafkaJars((step) => console.error(step)));
